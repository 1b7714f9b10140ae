package dev.warpline.web.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.profile.ProfileOptions;
import dev.warpline.web.SyntheticRun;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Perfetto's format, read by protobuf's own reader with the numbers of the published proto. */
class PacketEventsTest {
  private static final RunResult RUN = SyntheticRun.run(new ProfileOptions(0, 1600, 1));

  @TempDir Path folder;

  /** What a reader of the format knows after all packets. */
  private static final class Reader {
    final Map<Long, String> tracks = new TreeMap<>();
    final Map<Long, Long> parents = new HashMap<>();
    final Set<Long> counters = new HashSet<>();
    final Map<Long, String> names = new HashMap<>();
    final Map<Long, String> categories = new HashMap<>();
    final Map<Long, String> argumentNames = new HashMap<>();

    /** Slices as {@code track|name|category|from|until|arguments}, samples as such. */
    final List<String> slices = new ArrayList<>();

    final List<String> samples = new ArrayList<>();
    final Map<Long, List<String>> flows = new TreeMap<>();
    private final Map<Long, Deque<String>> open = new HashMap<>();
    private final Map<Long, Long> last = new HashMap<>();

    Reader(byte[] bytes) throws Exception {
      DynamicMessage trace =
          DynamicMessage.parseFrom(published().findMessageTypeByName("Trace"), bytes);
      knowsEverything(trace);
      boolean first = true;
      for (Message packet : messages(trace, "packet")) {
        long flags = number(packet, "sequence_flags");
        if (flags != (first ? 1 : has(packet, "track_event") ? 2 : 0)
            || number(packet, "trusted_packet_sequence_id") != 1) {
          throw new AssertionError("sequence of " + packet);
        }
        first = false;
        if (has(packet, "interned_data")) {
          intern((Message) get(packet, "interned_data"));
        }
        if (has(packet, "track_descriptor")) {
          track((Message) get(packet, "track_descriptor"));
        } else {
          event(number(packet, "timestamp"), (Message) get(packet, "track_event"));
        }
      }
      assertThat(open.values()).allMatch(Deque::isEmpty);
    }

    /** No message may have a field that the published format does not. */
    private static void knowsEverything(Message message) {
      if (!message.getUnknownFields().asMap().isEmpty()) {
        throw new AssertionError("unknown fields in " + message);
      }
      message
          .getAllFields()
          .forEach(
              (field, value) -> {
                if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
                  List<?> all = field.isRepeated() ? (List<?>) value : List.of(value);
                  all.forEach(one -> knowsEverything((Message) one));
                }
              });
    }

    private void intern(Message data) {
      intern(data, "event_names", names);
      intern(data, "event_categories", categories);
      intern(data, "debug_annotation_names", argumentNames);
    }

    private static void intern(Message data, String field, Map<Long, String> into) {
      for (Message one : messages(data, field)) {
        assertThat(into.put(number(one, "iid"), text(one, "name"))).isNull();
      }
    }

    private void track(Message descriptor) {
      long uuid = number(descriptor, "uuid");
      boolean process = has(descriptor, "process");
      String name =
          process
              ? text((Message) get(descriptor, "process"), "process_name")
              : text(descriptor, "name");
      assertThat(uuid).isNotZero();
      assertThat(tracks.put(uuid, name)).as(name).isNull();
      if (!process) {
        assertThat(tracks).containsKey(number(descriptor, "parent_uuid"));
        parents.put(uuid, number(descriptor, "parent_uuid"));
      }
      if (has(descriptor, "counter")) {
        counters.add(uuid);
      }
    }

    private void event(long nanoseconds, Message event) {
      long track = number(event, "track_uuid");
      String name = tracks.get(parents.get(track)) + "/" + tracks.get(track);
      // Not with assertions: there are tens of thousands of events.
      if (!tracks.containsKey(track)
          || nanoseconds % 1000 != 0
          || last.getOrDefault(track, 0L) > nanoseconds) {
        throw new AssertionError(name + " at " + nanoseconds + ": " + event);
      }
      last.put(track, nanoseconds);
      long cycle = nanoseconds / 1000;
      Deque<String> stack = open.computeIfAbsent(track, t -> new ArrayDeque<>());
      String type = get(event, "type").toString();
      if (counters.contains(track) != type.equals("TYPE_COUNTER")) {
        throw new AssertionError(type + " on " + name);
      }
      switch (type) {
        case "TYPE_SLICE_BEGIN" -> {
          String what = names.get(number(event, "name_iid"));
          List<?> in = (List<?>) get(event, "category_iids");
          stack.push(name + "|" + what + "|" + categories.get(in.get(0)) + "|" + cycle);
          StringBuilder arguments = new StringBuilder();
          for (Message one : messages(event, "debug_annotations")) {
            Object value = get(one, has(one, "int_value") ? "int_value" : "string_value");
            arguments.append(argumentNames.get(number(one, "name_iid"))).append('=').append(value);
            arguments.append(' ');
          }
          stack.push(stack.pop() + "|" + arguments);
        }
        case "TYPE_SLICE_END" -> slices.add(stack.pop() + "|" + cycle);
        case "TYPE_INSTANT" ->
            assertThat(stack).as("data comes to a warp that is there").isNotEmpty();
        default -> samples.add(name + "|" + cycle + "|" + get(event, "double_counter_value"));
      }
      ((List<?>) get(event, "flow_ids")).forEach(id -> flow(id, "from " + type, cycle));
      ((List<?>) get(event, "terminating_flow_ids")).forEach(id -> flow(id, "to " + type, cycle));
    }

    private void flow(Object id, String what, long cycle) {
      flows.computeIfAbsent((Long) id, i -> new ArrayList<>()).add(cycle + " " + what);
    }

    private static Object get(Message message, String field) {
      return message.getField(message.getDescriptorForType().findFieldByName(field));
    }

    private static boolean has(Message message, String field) {
      return message.hasField(message.getDescriptorForType().findFieldByName(field));
    }

    private static long number(Message message, String field) {
      return ((Number) get(message, field)).longValue();
    }

    private static String text(Message message, String field) {
      return (String) get(message, field);
    }

    @SuppressWarnings("unchecked")
    private static List<Message> messages(Message message, String field) {
      return (List<Message>) get(message, field);
    }
  }

  private static FileDescriptor published() throws Exception {
    try (InputStream in = PacketEventsTest.class.getResourceAsStream("perfetto.txtpb")) {
      FileDescriptorProto.Builder file = FileDescriptorProto.newBuilder();
      TextFormat.merge(new String(in.readAllBytes(), StandardCharsets.UTF_8), file);
      return FileDescriptor.buildFrom(file.build(), new FileDescriptor[0]);
    }
  }

  @Test
  void bothFormatsHoldTheSameSlicesAndSamples() throws Exception {
    Path packets = folder.resolve("out.pftrace");
    Path json = folder.resolve("out.json");
    Timeline.write(RUN, packets);
    Timeline.write(RUN, json);
    Reader reader = new Reader(Files.readAllBytes(packets));
    Map<String, String> tracks = new HashMap<>();
    List<String> slices = new ArrayList<>();
    List<String> samples = new ArrayList<>();
    for (JsonNode event : new ObjectMapper().readTree(json.toFile()).get("traceEvents")) {
      String process = event.get("pid").asText();
      String thread = process + "/" + event.get("tid").asText();
      switch (event.get("ph").asText()) {
        case "M" -> {
          boolean ofProcess = event.get("name").asText().equals("process_name");
          tracks.put(ofProcess ? process : thread, event.get("args").get("name").asText());
        }
        case "X" -> {
          StringBuilder arguments = new StringBuilder();
          event
              .path("args")
              .fields()
              .forEachRemaining(
                  one ->
                      arguments.append(one.getKey() + "=" + one.getValue().asText()).append(' '));
          long from = event.get("ts").asLong();
          String category = event.get("cat").asText();
          slices.add(
              tracks.get(process)
                  + "/"
                  + tracks.get(thread)
                  + "|"
                  + event.get("name").asText()
                  + "|"
                  + category
                  + "|"
                  + from
                  + "|"
                  + arguments
                  + "|"
                  + (from + event.get("dur").asLong()));
        }
        case "C" ->
            samples.add(
                tracks.get(process)
                    + "/"
                    + event.get("name").asText()
                    + "|"
                    + event.get("ts")
                    + "|"
                    + event.get("args").get("value").asDouble());
        default -> {}
      }
    }
    assertThat(slices).hasSizeGreaterThan(500);
    slices.sort(null);
    reader.slices.sort(null);
    assertThat(reader.slices).isEqualTo(slices);
    assertThat(samples).hasSizeGreaterThan(50);
    assertThat(reader.samples).containsExactlyInAnyOrderElementsOf(samples);
    assertThat(Files.size(packets)).isLessThan(Files.size(json) / 2);
  }

  @Test
  void aRequestIsAnArrowFromItsIssueThroughItsFlightToItsWarp() throws Exception {
    Path packets = folder.resolve("out.perfetto-trace");
    Timeline.write(RUN, packets);
    Map<Long, List<String>> flows = new Reader(Files.readAllBytes(packets)).flows;
    assertThat(flows).hasSizeGreaterThan(20);
    for (List<String> steps : flows.values()) {
      assertThat(steps).hasSizeLessThanOrEqualTo(3);
      assertThat(steps.stream().filter(step -> step.endsWith("to TYPE_INSTANT")).count())
          .isLessThanOrEqualTo(1);
    }
    assertThat(flows.values()).anyMatch(steps -> steps.size() == 3);
  }

  @Test
  void numbersOfAnySizeAreReadBack() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    dev.warpline.web.timeline.Message message = new dev.warpline.web.timeline.Message();
    for (long value : new long[] {0, 1, 127, 128, 1L << 35, Long.MAX_VALUE, -1}) {
      message.number(8, value);
    }
    message.text(2, "µ".repeat(200)).writeTo(out);
    var read = com.google.protobuf.CodedInputStream.newInstance(out.toByteArray());
    for (long value : new long[] {0, 1, 127, 128, 1L << 35, Long.MAX_VALUE, -1}) {
      assertThat(read.readTag()).isEqualTo(8 << 3);
      assertThat(read.readUInt64()).isEqualTo(value);
    }
    assertThat(read.readTag()).isEqualTo(2 << 3 | 2);
    assertThat(read.readString()).isEqualTo("µ".repeat(200));
    assertThat(read.isAtEnd()).isTrue();
  }
}
