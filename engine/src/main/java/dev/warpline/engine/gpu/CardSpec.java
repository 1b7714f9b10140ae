package dev.warpline.engine.gpu;

import java.util.List;

/**
 * What belongs to one card and to no other of its kind: which SMs were left out of its GPCs and how
 * the others are numbered. It lies over the {@link Topology} that follows from numbers, as long as
 * those numbers are the card's.
 */
public record CardSpec(
    @Field(value = "SMs that share a link to L2 (GPCs), in the order they get blocks", most = 1023)
        List<List<Integer>> groups,
    @Field(value = "L2 partition that each group reads through", most = 1) List<Integer> sides,
    @Field(value = "stations between a TPC and the cache its GPC shares, TPC by TPC", most = 64)
        List<Integer> hops,
    @Field(value = "SMs that get the first blocks", most = 1023) List<Integer> loneSms) {

  public CardSpec {
    long sms = groups.stream().mapToLong(List::size).sum();
    long distinct = groups.stream().flatMap(List::stream).distinct().filter(sm -> sm < sms).count();
    Checks.require(
        sms > 0 && distinct == sms,
        "groups: found "
            + sms
            + " SMs, expected each number from 0 to "
            + Math.max(0, sms - 1)
            + " once");
    Checks.require(
        sides.size() == groups.size(),
        "sides: found " + sides.size() + ", expected one for each of " + groups.size() + " groups");
    Checks.require(
        !hops.isEmpty() && sms % hops.size() == 0,
        "hops: found " + hops.size() + " TPCs, expected as many SMs in each of them, " + sms);
    Checks.require(
        loneSms.stream().distinct().filter(sm -> sm < sms).count() == loneSms.size(),
        "loneSms: found " + loneSms + ", expected SMs of the card, each once");
  }

  /** SMs of the card. */
  public int sms() {
    return groups.stream().mapToInt(List::size).sum();
  }

  /** SMs of its largest GPC. */
  int largestGroup() {
    return groups.stream().mapToInt(List::size).max().orElse(0);
  }

  /** Whether a machine of these numbers is the card. */
  boolean is(int sms, ModernCoreSpec.Layout layout) {
    return sms == sms()
        && hops.size() * layout.smsPerTpc() == sms
        && largestGroup() == layout.smsPerGpc();
  }
}
