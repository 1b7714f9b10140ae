package dev.warpline.nvidia.hopper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RegisterPoolTest {
  @Test
  void aRequestWaitsUntilOtherWarpsReleasedEnough() {
    RegisterPool pool = new RegisterPool(12, 168);
    assertThat(pool.request(4, 240)).isFalse();
    pool.release(0, 40);
    assertThat(pool.free()).isEqualTo(128);
    assertThat(pool.request(4, 240)).isTrue();
    assertThat(pool.held(4)).isEqualTo(240);
    assertThat(pool.free()).isEqualTo(56);
    assertThat(pool.request(5, 240)).isFalse();
    pool.release(1, 40);
    assertThat(pool.request(5, 240)).isTrue();
  }

  @Test
  void countsThatTheHardwareRefusesAreRefused() {
    RegisterPool pool = new RegisterPool(4, 168);
    assertThatThrownBy(() -> pool.release(0, 20))
        .hasMessage("setmaxnreg of 20 registers, expected a multiple of 8 from 24 to 256");
  }
}
