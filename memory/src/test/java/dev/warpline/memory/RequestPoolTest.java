package dev.warpline.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RequestPoolTest {
  @Test
  void aRequestThatIsUsedAgainIsAPlainReadOfData() {
    RequestPool pool = new RequestPool();
    MemoryRequest request = pool.take();
    request.write = true;
    request.atomic = true;
    request.translation = true;
    request.bypass = true;
    request.client = Client.INSTRUCTIONS;
    request.level = MemoryRequest.FROM_DRAM;
    request.byteMask = -1;
    request.sectors = 15;
    pool.giveBack(request);
    MemoryRequest again = pool.take();
    assertThat(again).isSameAs(request);
    assertThat(again.write || again.atomic || again.translation || again.bypass).isFalse();
    assertThat(again.client).isEqualTo(Client.DATA);
    assertThat(again.level).isEqualTo(MemoryRequest.FROM_L2);
    assertThat(again.byteMask | again.sectors).isZero();
  }

  @Test
  void thePoolKnowsHowManyHaveNotComeBack() {
    RequestPool pool = new RequestPool();
    MemoryRequest first = pool.take();
    pool.take();
    pool.giveBack(first);
    assertThat(pool.inUse()).isEqualTo(1);
  }
}
