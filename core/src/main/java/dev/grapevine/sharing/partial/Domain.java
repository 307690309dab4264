package dev.grapevine.sharing.partial;

import dev.grapevine.compression.Transform;
import dev.grapevine.sharing.Workspace;

/** What a coordinate is. */
sealed interface Domain {

  /** Number of coordinates. */
  int size();

  /** The coordinates of the model: the parameters themselves, or slot 0 of the workspace. */
  float[] of(float[] parameters, Workspace workspace);

  /** Changes the model by what a change of its coordinates stands for; uses slot 0. */
  void add(float[] delta, float[] parameters, Workspace workspace);

  /** A coordinate is a parameter. */
  record Parameters(int size) implements Domain {

    @Override
    public float[] of(float[] parameters, Workspace workspace) {
      return parameters;
    }

    @Override
    public void add(float[] delta, float[] parameters, Workspace workspace) {
      for (int i = 0; i < parameters.length; i++) {
        parameters[i] += delta[i];
      }
    }
  }

  /** A coordinate is a coefficient of a linear transform. */
  record Coefficients(Transform transform, int size) implements Domain {

    @Override
    public float[] of(float[] parameters, Workspace workspace) {
      float[] coefficients = workspace.floats(0, size);
      transform.forward(parameters, coefficients);
      return coefficients;
    }

    // The inverse is linear: adding the change's inverse equals inverting the changed whole, and
    // leaves alone what did not change.
    @Override
    public void add(float[] delta, float[] parameters, Workspace workspace) {
      // The transform takes the length from the array, so this one must be exact.
      float[] change = workspace.exactFloats(parameters.length);
      transform.inverse(delta, change);
      for (int i = 0; i < parameters.length; i++) {
        parameters[i] += change[i];
      }
    }
  }
}
