package dev.grapevine.app.deploy;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A headless service and an indexed job for Kubernetes: every pod of the job is a worker, and finds
 * the first one by its name in the service.
 */
public final class KubernetesJob {

  /** Where the first worker lets the others join. */
  private static final int PORT = 7077;

  /** A user that is not root; the image has it too. */
  private static final int USER = 10001;

  private KubernetesJob() {}

  /**
   * The text, to be given to {@code kubectl apply -f -}.
   *
   * @param image the image that the Containerfile makes, in a registry that the cluster knows
   */
  public static String text(EngineJob job, String image) {
    String name = job.label();
    String file = String.valueOf(job.experiment().getFileName());
    String memory = job.memory() > 0 ? job.memory() + "Mi" : "2Gi";
    return """
    # Once, before: what the workers read, the secret that lets them know each other, and a place
    # for data and results that all pods can write to (a claim of ReadWriteMany).
    #   kubectl create configmap %1$s --from-file=%2$s
    #   grapevine identity secret --out secret && kubectl create secret generic %1$s --from-file=secret
    #   kubectl create -f a claim named %1$s
    apiVersion: v1
    kind: Service
    metadata:
      name: %1$s
    spec:
      clusterIP: None
      publishNotReadyAddresses: true
      selector:
        batch.kubernetes.io/job-name: %1$s
      ports:
        - name: control
          port: %3$d
    ---
    apiVersion: batch/v1
    kind: Job
    metadata:
      name: %1$s
    spec:
      completionMode: Indexed
      completions: %4$d
      parallelism: %4$d
      backoffLimit: 0
      template:
        spec:
          subdomain: %1$s
          restartPolicy: Never
          terminationGracePeriodSeconds: 120
          securityContext:
            runAsNonRoot: true
            runAsUser: %5$d
            runAsGroup: %5$d
            fsGroup: %5$d
          containers:
            - name: worker
              image: %6$s
              # A mounted secret can be read by a group, which no worker accepts; hence a copy.
              command:
                - sh
                - -c
                - umask 077 && cp /etc/grapevine/secret/secret /tmp/secret && exec grapevine worker "$@"
                - worker
    %7$s
              env:
                - name: GRAPEVINE_WORLD
                  value: "%4$d"
                - name: GRAPEVINE_DATA
                  value: /data
              ports:
                - name: control
                  containerPort: %3$d
              resources:
                requests:
                  cpu: "%8$d"
                  memory: %9$s
                limits:
                  memory: %9$s
              securityContext:
                allowPrivilegeEscalation: false
                capabilities:
                  drop:
                    - ALL
              volumeMounts:
                - name: experiment
                  mountPath: /etc/grapevine/experiment
                  readOnly: true
                - name: secret
                  mountPath: /etc/grapevine/secret
                  readOnly: true
                - name: store
                  mountPath: /data
                  subPath: data
                - name: store
                  mountPath: /runs
                  subPath: runs
          volumes:
            - name: experiment
              configMap:
                name: %1$s
            - name: secret
              secret:
                secretName: %1$s
                defaultMode: 288
            - name: store
              persistentVolumeClaim:
                claimName: %1$s
    """
        .formatted(
            name,
            file,
            PORT,
            job.workers(),
            USER,
            scalar(image),
            arguments(job, name, file),
            job.threads(),
            memory);
  }

  private static String arguments(EngineJob job, String name, String file) {
    return Stream.concat(
            Stream.of(
                Path.of("/etc/grapevine/experiment").resolve(file).toString(),
                "--rendezvous",
                "%s-0.%s:%d".formatted(name, name, PORT),
                "--secret",
                "/tmp/secret"),
            job.options().stream())
        .map(word -> "            - " + scalar(word))
        .collect(Collectors.joining("\n"));
  }

  /** A text as YAML takes it: plain where nothing can be meant by it but itself, else in quotes. */
  private static String scalar(String text) {
    boolean plain =
        text.matches("[A-Za-z/][\\w./-]*(:[\\w.-]+)?|--[\\w-]+")
            && !List.of("true", "false", "yes", "no", "on", "off", "null", "y", "n")
                .contains(text.toLowerCase(java.util.Locale.ROOT));
    if (plain) {
      return text;
    }
    StringBuilder quoted = new StringBuilder("\"");
    IntStream characters = text.codePoints();
    characters.forEach(c -> {
      if (c == '"' || c == '\\') {
        quoted.append('\\').appendCodePoint(c);
      } else if (c < 0x20 || c == 0x7f) {
        quoted.append("\\x%02x".formatted(c));
      } else {
        quoted.appendCodePoint(c);
      }
    });
    return quoted.append('"').toString();
  }
}
