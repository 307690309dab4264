package dev.grapevine.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DoorkeeperTest {

  @Test
  void theOldestStrangersMakeRoom() throws Exception {
    Doorkeeper doorkeeper = new Doorkeeper(3);
    List<SocketChannel> sockets = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      SocketChannel socket = SocketChannel.open();
      sockets.add(socket);
      doorkeeper.arrived(socket);
      if (i == 1) {
        doorkeeper.settled(socket);
      }
    }

    assertThat(sockets.stream().map(SocketChannel::isOpen))
        .containsExactly(false, true, false, true, true, true);
    assertThat(doorkeeper.waiting()).isEqualTo(3);
    doorkeeper.makeRoom();
    assertThat(sockets.stream().map(SocketChannel::isOpen))
        .containsExactly(false, true, false, false, false, true);
    for (SocketChannel socket : sockets) {
      socket.close();
    }
  }

  @Test
  void aFloodIsToldInAFewLines() {
    Doorkeeper doorkeeper = new Doorkeeper(3);
    List<String> told = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      doorkeeper.tell("reason " + i).ifPresent(told::add);
    }
    assertThat(told)
        .hasSize(10)
        .startsWith("reason 0")
        .endsWith("reason 9 (nothing more will be said about strangers)");
  }
}
