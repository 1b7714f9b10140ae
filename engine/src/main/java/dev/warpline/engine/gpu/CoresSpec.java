package dev.warpline.engine.gpu;

/** Which models of its SMs or compute units a description offers, and how far to trust each. */
public record CoresSpec(
    @Field(value = "the modern core with the memory side that reserves time", optional = true)
        Statement modern,
    @Field(value = "the classic core with the detailed memory side", optional = true)
        Statement classic,
    @Field(value = "AMD's compute units", optional = true) Statement gcn) {

  /** What a description says of one model. */
  public record Statement(
      @Field(value = "whether programs may run on it", standard = "true") boolean offered,
      @Field(value = "what its numbers rest on, or why it is not offered", standard = "not stated")
          String basis,
      @Field(value = "how far it was compared with the hardware", standard = "not validated")
          String validation) {

    /** Of a description that says nothing. */
    public static final Statement NONE = new Statement(true, "not stated", "not validated");
  }
}
