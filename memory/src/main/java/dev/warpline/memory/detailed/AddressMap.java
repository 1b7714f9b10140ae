package dev.warpline.memory.detailed;

import dev.warpline.engine.gpu.DetailedMemorySpec;
import dev.warpline.engine.gpu.DetailedMemorySpec.ChannelIndex;
import dev.warpline.memory.MemoryRequest;
import dev.warpline.policy.hash.Polynomial;

/**
 * Which channel, slice, bank and row an address belongs to. The mapping is written as letters per
 * address bit: {@code R} row, {@code B} bank, {@code C} and {@code S} column; the channel number is
 * inserted at a bit, or divided out when the channels are no power of two.
 */
public final class AddressMap {
  /**
   * @param channels DRAM channels
   * @param slicesPerChannel L2 slices of a channel, a power of two
   * @param channelBit address bit at which the channel number stands
   * @param bankMask bank bits of an address without its channel number
   * @param rowMask row bits, likewise
   * @param indexing channel hash
   */
  record Spec(
      int channels,
      int slicesPerChannel,
      int channelBit,
      long bankMask,
      long rowMask,
      ChannelIndex indexing) {

    /** From the mapping string, or from one of Accel-Sim's numbered presets without one. */
    static Spec of(DetailedMemorySpec m) {
      if (m.addressMapping() != null) {
        return parse(m.addressMapping(), m.channels(), m.slicesPerChannel(), m.channelIndex());
      }
      long banks = 0x1800;
      long rows = 0x7FFE000;
      int bit;
      switch (m.addressMask()) {
        case 0, 160 -> {
          bit = m.addressMask() == 0 ? 10 : 6;
          banks = 0x300;
        }
        case 1 -> bit = 13;
        case 2 -> bit = 11;
        case 3 -> {
          bit = 11;
          rows = 0xFFFE000;
        }
        case 5, 6, 14, 15, 16 -> bit = m.addressMask();
        case 100, 103, 106 -> {
          bit = m.addressMask() == 100 ? 1 : m.addressMask() - 100;
          banks = 0x3;
        }
        default ->
            throw new IllegalArgumentException(
                "address mask "
                    + m.addressMask()
                    + ": expected 0-3, 5, 6, 14-16, 100, 103, 106, 160");
      }
      return new Spec(m.channels(), m.slicesPerChannel(), bit, banks, rows, m.channelIndex());
    }

    /**
     * Reads Accel-Sim's mapping string.
     *
     * @param mapping {@code dramid@<bit>;<letters from bit 63 down>}
     */
    static Spec parse(String mapping, int channels, int slicesPerChannel, ChannelIndex indexing) {
      int semicolon = mapping.indexOf(';');
      if (!mapping.startsWith("dramid@") || semicolon < 0) {
        throw new IllegalArgumentException(
            "address mapping \"" + mapping + "\": expected dramid@<bit>;<64 letters>");
      }
      int bit = Integer.parseInt(mapping.substring("dramid@".length(), semicolon).trim());
      long banks = 0;
      long rows = 0;
      int position = 64;
      for (int i = semicolon + 1; i < mapping.length(); i++) {
        char c = Character.toUpperCase(mapping.charAt(i));
        if (c == '.' || c == '|' || c == ' ') {
          continue;
        }
        position--;
        switch (c) {
          case 'B' -> banks |= 1L << position;
          case 'R' -> rows |= 1L << position;
          case 'C', 'S', 'D', '0' -> {}
          default ->
              throw new IllegalArgumentException(
                  "address mapping \"" + mapping + "\": letter " + c + ", expected B C D R S or 0");
        }
      }
      if (position != 0) {
        throw new IllegalArgumentException(
            "address mapping \"" + mapping + "\" names " + (64 - position) + " bits, expected 64");
      }
      return new Spec(channels, slicesPerChannel, bit, banks, rows, indexing);
    }
  }

  private final Spec spec;
  private final boolean gap;
  private final int channelBits;
  private final int sliceBits;
  private final int slices;
  private final Gather bank;
  private final Gather row;
  private final Gather sliceAddress;
  private final Polynomial ipoly;
  private final int oddPart;

  public AddressMap(DetailedMemorySpec memory) {
    this(Spec.of(memory));
  }

  AddressMap(Spec spec) {
    this.spec = spec;
    slices = spec.channels() * spec.slicesPerChannel();
    gap = Integer.bitCount(spec.channels()) != 1;
    channelBits = 32 - Integer.numberOfLeadingZeros(Math.max(1, spec.channels() - 1));
    int realChannelBits = spec.channels() == 1 ? 0 : channelBits;
    sliceBits = Integer.numberOfTrailingZeros(spec.slicesPerChannel());
    long low = (1L << spec.channelBit()) - 1;
    long channelMask = gap ? 0 : ((1L << realChannelBits) - 1) << spec.channelBit();
    long bankMask = gap ? spec.bankMask() : widen(spec.bankMask(), low, realChannelBits);
    long rowMask = gap ? spec.rowMask() : widen(spec.rowMask(), low, realChannelBits);
    bank = new Gather(bankMask);
    row = new Gather(rowMask);
    long sliceMask = 0;
    long banksLeft = bankMask;
    for (int i = 0; i < sliceBits; i++) {
      sliceMask |= Long.lowestOneBit(banksLeft);
      banksLeft &= banksLeft - 1;
    }
    sliceAddress = new Gather(~(channelMask | sliceMask) & (1L << 56) - 1);
    oddPart = slices / Integer.lowestOneBit(slices);
    int places =
        spec.indexing() == ChannelIndex.IPOLY_MODULO
            ? Integer.lowestOneBit(slices)
            : (spec.channels() == 1 ? 1 : 1 << channelBits) << sliceBits;
    ipoly = new Polynomial(places);
  }

  private static long widen(long mask, long low, int bits) {
    return mask & low | (mask & ~low) << bits;
  }

  /** L2 slices in all. */
  public int slices() {
    return slices;
  }

  /** Fills in slice, slice address, bank and row of a request from its address. */
  public void decode(MemoryRequest request) {
    long address = request.address;
    long low = (1L << spec.channelBit()) - 1;
    long rest = address;
    int channel;
    long high;
    if (gap) {
      long block = address >>> spec.channelBit();
      channel = (int) (block % spec.channels());
      high = block / spec.channels();
      rest = high << spec.channelBit() | address & low;
    } else {
      channel = (int) (address >>> spec.channelBit()) & spec.channels() - 1;
      high = address >>> spec.channelBit() + (spec.channels() == 1 ? 0 : channelBits) + sliceBits;
    }
    int bankNumber = (int) bank.of(rest);
    request.bank = bankNumber;
    request.row = (int) row.of(rest);
    request.sliceAddress = sliceAddress.of(rest);
    int subSlice = bankNumber & spec.slicesPerChannel() - 1;
    int slice = channel * spec.slicesPerChannel() + subSlice;
    request.slice =
        switch (spec.indexing()) {
          // Custom has no function in Accel-Sim.
          case CONSECUTIVE, CUSTOM -> slice;
          case XOR ->
              (channel ^ (int) (high % spec.channels())) * spec.slicesPerChannel() + subSlice;
          case IPOLY -> ipoly.hash(high, slice) % slices;
          case IPOLY_MODULO -> modulo(high, slice);
          case PAE -> pae(high, slice);
          case RANDOM -> random(address >>> spec.channelBit() - sliceBits);
        };
  }

  private int modulo(long high, int slice) {
    int places = slices / oddPart;
    int even = ipoly.hash(high, slice & places - 1);
    int odd = (int) ((slice / places + high) % oddPart);
    return odd * places + even;
  }

  private static int bits(long high, long mask) {
    return Long.bitCount(high & mask) & 1;
  }

  private static int pae(long h, int s) {
    int b0 = s & 1;
    int b1 = s >> 1 & 1;
    int b2 = s >> 2 & 1;
    int b3 = s >> 3 & 1;
    int b4 = s >> 4 & 1;
    int n0 = bits(h, 1L << 13 | 1 << 10 | 1 << 9 | 1 << 5 | 1) ^ b3;
    int n1 = bits(h, 1L << 12 | 1 << 11 | 1 << 6 | 1 << 1) ^ b3 ^ b2;
    int n2 = bits(h, 1L << 14 | 1 << 9 | 1 << 8 | 1 << 7 | 1 << 2) ^ b1 ^ b2;
    int n3 = bits(h, 1L << 11 | 1 << 10 | 1 << 8 | 1 << 3) ^ b2;
    int n4 = bits(h, 1L << 12 | 1 << 9 | 1 << 8 | 1 << 5 | 1 << 4) ^ b1 ^ b0 ^ b4;
    return n0 | n1 << 1 | n2 << 2 | n3 << 3 | n4 << 4;
  }

  /** A slice that depends on the block alone and spreads like a random choice. */
  private int random(long block) {
    long z = (block + 1) * 0x9E3779B97F4A7C15L;
    z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return (int) Long.remainderUnsigned(z ^ z >>> 31, slices);
  }

  /** Packs the bits of a mask together, lowest first. */
  private static final class Gather {
    private final long[] mask;
    private final int[] shift;

    Gather(long bits) {
      int runs = Long.bitCount(bits & ~(bits << 1));
      mask = new long[runs];
      shift = new int[runs];
      int packed = 0;
      for (int i = 0; i < runs; i++) {
        int from = Long.numberOfTrailingZeros(bits);
        int length = Long.numberOfTrailingZeros(~(bits >>> from));
        mask[i] = (length == 64 ? -1L : (1L << length) - 1) << from;
        shift[i] = from - packed;
        packed += length;
        bits &= ~mask[i];
      }
    }

    long of(long value) {
      long packed = 0;
      for (int i = 0; i < mask.length; i++) {
        packed |= (value & mask[i]) >>> shift[i];
      }
      return packed;
    }
  }
}
