package dev.warpline.engine.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;

class StateTest {
  private record Spec(String name, List<Spec> parts) {}

  private record Place(int sm, Node node, List<Long> cycles) {}

  private enum Colour {
    RED,
    BLUE {
      @Override
      public String toString() {
        return "blue";
      }
    }
  }

  private static final class Node {
    final int number;
    Node next;

    Node(int number) {
      this.number = number;
    }
  }

  private static final class Unit {
    final Spec spec;
    final long[] tags;
    final boolean[] valid = {true, false, true};
    final double share = Math.random();
    final Deque<Node> queue = new ArrayDeque<>();
    final Map<String, Long> counts = new LinkedHashMap<>();
    final PriorityQueue<Long> free = new PriorityQueue<>();
    final BitSet bits = new BitSet();
    final IntSupplier size = () -> 3;
    final List<Place> places = new ArrayList<>();
    Colour colour = Colour.RED;
    Object[] pair;
    Unit other;

    Unit(Spec spec) {
      this.spec = spec;
      tags = new long[20_000];
    }
  }

  private static Unit busy(Spec spec) {
    Unit unit = new Unit(spec);
    unit.tags[19_999] = -7;
    unit.valid[1] = true;
    Node node = new Node(5);
    node.next = new Node(6);
    node.next.next = node;
    unit.queue.add(node);
    unit.counts.put("hits", 12L);
    unit.free.addAll(List.of(9L, 3L, 5L));
    unit.bits.set(70);
    unit.places.add(new Place(2, node, List.of(1L, 1L << 40)));
    unit.colour = Colour.BLUE;
    unit.pair = new Object[] {node, spec.parts().get(0), null};
    unit.other = unit;
    return unit;
  }

  private static byte[] written(Object root, Object... outside) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new StateWriter(out, List.of(outside)).write(root);
    return out.toByteArray();
  }

  private static <T> T read(byte[] bytes, T root, Object... outside) throws IOException {
    return new StateReader(new ByteArrayInputStream(bytes), List.of(outside)).read(root);
  }

  private static Spec spec() {
    return new Spec("gpu", List.of(new Spec("sm", List.of())));
  }

  @Test
  void aNewMachineHoldsWhatWasWritten() throws IOException {
    Unit before = busy(spec());
    byte[] bytes = written(before, before.spec);
    Spec spec = spec();
    Unit after = read(bytes, new Unit(spec), spec);
    assertThat(after.tags).isEqualTo(before.tags);
    assertThat(after.valid).containsExactly(true, true, true);
    assertThat(after.share).isEqualTo(before.share);
    Node node = after.queue.peek();
    assertThat(node.number).isEqualTo(5);
    assertThat(node.next.next).isSameAs(node);
    assertThat(after.counts).isEqualTo(before.counts);
    assertThat(after.free.peek()).isEqualTo(3);
    assertThat(after.bits).isEqualTo(before.bits);
    assertThat(after.places.get(0).cycles()).containsExactly(1L, 1L << 40);
    assertThat(after.places.get(0).node()).isSameAs(node);
    assertThat(after.colour).isEqualTo(Colour.BLUE);
    assertThat(after.size.getAsInt()).isEqualTo(3);
    assertThat(after.other).isSameAs(after);
    assertThat(after.pair).containsExactly(node, spec.parts().get(0), null);
    // What comes from outside is the reader's own.
    assertThat(after.spec).isSameAs(spec);
    assertThat(Arrays.equals(written(after, spec), bytes)).isTrue();
  }

  @Test
  void longChainsNeedNoStack() throws IOException {
    Node first = new Node(0);
    Node last = first;
    for (int i = 1; i < 200_000; i++) {
      last.next = new Node(i);
      last = last.next;
    }
    Node read = read(written(first), new Node(0));
    for (int i = 0; i < 199_999; i++) {
      read = read.next;
    }
    assertThat(read.number).isEqualTo(199_999);
  }

  @Test
  void whatCannotBeWrittenIsNamed() {
    assertThatThrownBy(() -> written(new Object[] {new Holder(Thread.currentThread())}))
        .isInstanceOf(StateException.class)
        .hasMessageContaining("Holder.thread: java.lang.Thread cannot be written down");
  }

  private record Holder(Thread thread) {}

  @Test
  void stateOfAnotherMachineIsRefused() throws IOException {
    byte[] bytes = written(new Node(1));
    assertThatThrownBy(() -> read(bytes, new Unit(spec())))
        .isInstanceOf(StateException.class)
        .hasMessageContaining("another kind of machine");
  }

  @Test
  void classesOfOthersAreNotMade() throws IOException {
    byte[] bytes = written(new Object[] {new Node(1)});
    String name = Node.class.getName();
    String other = "java.util.Timer" + "x".repeat(name.length() - "java.util.Timer".length());
    byte[] changed =
        new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1)
            .replace(name, other)
            .getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
    assertThatThrownBy(() -> read(changed, new Object[1]))
        .isInstanceOf(StateException.class)
        .hasMessageContaining("java.util.Timer");
  }
}
