package dev.warpline.study.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.warpline.engine.Results;
import dev.warpline.engine.RunResult;
import dev.warpline.study.store.Point;
import dev.warpline.study.store.ResultStore;
import dev.warpline.study.sweep.On;
import java.io.IOException;
import java.io.StringReader;

/**
 * What came of a task.
 *
 * @param id the point's address
 * @param result as the store keeps it, compressed; null if there is none
 * @param failure why there is none
 * @param refusal why the machine cannot simulate any point of the study; null otherwise
 * @param seconds how long the simulation took
 * @param fetchSeconds how long it took until the files were there
 * @param worker the machine and the process
 */
record Answer(
    String id,
    String result,
    String failure,
    String refusal,
    double seconds,
    double fetchSeconds,
    String worker) {
  private static final ObjectMapper JSON = new ObjectMapper();

  String line() throws IOException {
    return JSON.writeValueAsString(this);
  }

  static Answer of(String line) throws JsonProcessingException {
    return JSON.readValue(line, Answer.class);
  }

  static String pack(RunResult result, String here, String there) throws IOException {
    return Packed.text(ResultStore.text(result).replace(here, there));
  }

  On.Ended ended(Point point) throws IOException {
    RunResult read =
        result == null
            ? null
            : Results.readJson(new StringReader(Packed.unpacked(result)), "answer of " + worker);
    return new On.Ended(point, read, failure, seconds);
  }
}
