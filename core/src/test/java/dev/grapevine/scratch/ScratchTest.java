package dev.grapevine.scratch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ScratchTest {

  private final ScratchPool pool = new ScratchPool();

  @Test
  void aNameKeepsItsArrayUntilALargerOneIsWanted() {
    Scratch scratch = new Scratch();
    float[] held = scratch.floats("a", 100);
    assertThat(held).hasSize(100);
    assertThat(scratch.floats("a", 50)).isSameAs(held);
    assertThat(scratch.floats("a", 101)).isNotSameAs(held).hasSize(101);
    assertThat(scratch.ints("a", 10)).isSameAs(scratch.ints("a", 10));
    assertThat(scratch.longs("a", 10)).isSameAs(scratch.longs("a", 10));
    assertThat(scratch.bytes("a", 10)).isSameAs(scratch.bytes("a", 10));
  }

  @Test
  void exactArraysAreNeitherLargerNorThoseOfTheSameName() {
    Scratch scratch = new Scratch();
    float[] exact = scratch.exactFloats("a", 100);
    assertThat(scratch.exactFloats("a", 100)).isSameAs(exact);
    assertThat(scratch.floats("a", 100)).isNotSameAs(exact);
    assertThat(scratch.exactFloats("a", 99)).hasSize(99);
  }

  @Test
  void namesDoNotShareAnArray() {
    Scratch scratch = new Scratch();
    assertThat(scratch.floats("a", 10)).isNotSameAs(scratch.floats("b", 10));
  }

  @Test
  void nobodyElseGetsWhatIsLent() {
    try (Scratch first = pool.borrow();
        Scratch second = pool.borrow()) {
      assertThat(first).isNotSameAs(second);
    }
  }

  @Test
  void whatWasGivenBackIsLentAgain() {
    Scratch first = pool.borrow();
    first.close();
    assertThat(pool.borrow()).isSameAs(first);
    assertThat(pool.borrow()).isNotSameAs(first);
  }

  @Test
  void moreThanFitAreForgotten() {
    Scratch[] lent = new Scratch[1000];
    for (int i = 0; i < lent.length; i++) {
      lent[i] = pool.borrow();
    }
    for (Scratch scratch : lent) {
      scratch.close();
    }
    assertThat(pool.borrow()).isSameAs(lent[0]);
  }
}
