package dev.warpline.web.timeline;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.Writer;
import java.util.Map;

/** Chrome's JSON trace format. One microsecond is one core cycle. */
final class ChromeEvents implements TraceEvents {
  private final JsonGenerator json;
  private long arrows;

  ChromeEvents(Writer out, String gpu) throws IOException {
    json = new ObjectMapper().createGenerator(out);
    json.writeStartObject();
    json.writeStringField("displayTimeUnit", "ns");
    json.writeObjectFieldStart("otherData");
    json.writeStringField("gpu", gpu);
    json.writeStringField("unit", "1 us is 1 core cycle");
    json.writeEndObject();
    json.writeArrayFieldStart("traceEvents");
  }

  @Override
  public void process(int process, String name) throws IOException {
    name("process_name", process, 1, name);
  }

  @Override
  public void thread(int process, int thread, String name) throws IOException {
    name("thread_name", process, thread, name);
  }

  private void name(String what, int process, int thread, String name) throws IOException {
    json.writeStartObject();
    json.writeStringField("ph", "M");
    json.writeStringField("name", what);
    json.writeNumberField("pid", process);
    json.writeNumberField("tid", thread);
    json.writeObjectFieldStart("args");
    json.writeStringField("name", name);
    json.writeEndObject();
    json.writeEndObject();
  }

  @Override
  public void slice(
      int process,
      int thread,
      String name,
      String category,
      long from,
      long until,
      Map<String, ?> arguments)
      throws IOException {
    begin("X", name, process, thread, from);
    json.writeStringField("cat", category);
    json.writeNumberField("dur", until - from);
    if (!arguments.isEmpty()) {
      json.writeObjectFieldStart("args");
      for (Map.Entry<String, ?> argument : arguments.entrySet()) {
        json.writeObjectField(argument.getKey(), argument.getValue());
      }
      json.writeEndObject();
    }
    json.writeEndObject();
  }

  @Override
  public void counter(int process, String name, long cycle, double value) throws IOException {
    begin("C", name, process, 1, cycle);
    json.writeObjectFieldStart("args");
    json.writeNumberField("value", value);
    json.writeEndObject();
    json.writeEndObject();
  }

  @Override
  public void departs(int process, int warp, int flight, long cycle, long request)
      throws IOException {
    arrow(process, warp, flight, cycle);
  }

  @Override
  public void arrives(int process, int flight, int warp, long cycle, long request)
      throws IOException {
    arrow(process, flight, warp, cycle);
  }

  private void arrow(int process, int from, int to, long cycle) throws IOException {
    arrows++;
    begin("s", "request", process, from, cycle);
    json.writeStringField("cat", "flow");
    json.writeNumberField("id", arrows);
    json.writeEndObject();
    begin("f", "request", process, to, cycle);
    json.writeStringField("cat", "flow");
    json.writeNumberField("id", arrows);
    json.writeStringField("bp", "e");
    json.writeEndObject();
  }

  private void begin(String phase, String name, int process, int thread, long cycle)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("ph", phase);
    json.writeStringField("name", name);
    json.writeNumberField("pid", process);
    json.writeNumberField("tid", thread);
    json.writeNumberField("ts", cycle);
  }

  @Override
  public void end() throws IOException {
    json.writeEndArray();
    json.writeEndObject();
    json.flush();
  }
}
