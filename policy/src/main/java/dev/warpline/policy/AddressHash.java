package dev.warpline.policy;

/** Which of several places an address belongs to: the set of a cache, or a bank. */
@Named(value = "address hash", about = "which set of a cache, or bank, an address belongs to")
public interface AddressHash extends Policy {
  /**
   * Starts.
   *
   * @param places how many there are
   * @param bytes neighbouring addresses that belong to one place, a power of two
   * @throws IllegalArgumentException says how many places were expected
   */
  void begin(int places, int bytes);

  /** The place of an address, from 0 on. */
  int place(long address);
}
