package dev.grapevine.checkpoint;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Memory for what waits to be written. It lies outside of the heap, so that copies which live for a
 * moment do not wear out the collector, and is used again and again. Safe for concurrent use.
 */
final class Room implements AutoCloseable {

  /** What may wait to be written, in bytes. */
  private static final long MOST = 192L << 20;

  /** What is kept for the next time, in bytes. */
  private static final long KEPT = 64L << 20;

  /** Blocks come in multiples of this, so that one that was used fits again. */
  private static final long GRAIN = 1 << 16;

  private final long most;
  private final Deque<Block> free = new ArrayDeque<>();
  private long freeBytes;
  private long used;
  private boolean closed;

  /** A piece of memory; {@code content} is what of it was asked for. */
  record Block(Arena arena, MemorySegment whole, MemorySegment content) {}

  Room() {
    this(MOST);
  }

  Room(long most) {
    this.most = most;
  }

  /** Takes memory, once there is some; one who is alone gets what it wants. */
  Block take(long bytes) throws InterruptedException {
    long size = Math.ceilDiv(bytes, GRAIN) * GRAIN;
    synchronized (this) {
      while (used > 0 && used + size > most) {
        wait();
      }
      used += size;
      for (Block block : free) {
        if (block.whole().byteSize() == size) {
          free.remove(block);
          freeBytes -= size;
          return new Block(block.arena(), block.whole(), block.whole().asSlice(0, bytes));
        }
      }
    }
    Arena arena = Arena.ofShared();
    MemorySegment whole = arena.allocate(size, Long.BYTES);
    return new Block(arena, whole, whole.asSlice(0, bytes));
  }

  /** Gives it back. */
  void give(Block block) {
    boolean keeps;
    synchronized (this) {
      long size = block.whole().byteSize();
      used -= size;
      notifyAll();
      keeps = !closed && freeBytes + size <= KEPT;
      if (keeps) {
        // The one that was used last is the likeliest to be in a cache.
        free.push(block);
        freeBytes += size;
      }
    }
    if (!keeps) {
      block.arena().close();
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    free.forEach(block -> block.arena().close());
    free.clear();
    freeBytes = 0;
  }
}
