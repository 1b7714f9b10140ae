package dev.warpline.isa;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DemanglerTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "_Z12dsmem_reducePKfPfi|dsmem_reduce(float const*, float*, int)",
        "_Z10wgmma_gemmILi4EEv14CUtensorMap_stS0_Pfii|void wgmma_gemm<4>(CUtensorMap_st, CUtensorMap_st, float*, int, int)",
        "_Z5scaleILi4EfEvPT0_i|void scale<4, float>(float*, int)",
        "_ZN2at6native29vectorized_elementwise_kernelILi4ENS0_11FillFunctorIfEENS_6detail5ArrayIPcLi1EEEEEviT0_T1_|void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, at::detail::Array<char*, 1> >(int, at::native::FillFunctor<float>, at::detail::Array<char*, 1>)",
        "_ZN3cub17CUB_200302_750_NS18DeviceReduceKernelINS0_18DeviceReducePolicyIfjN6thrust4plusIvEEE9Policy600EPKfjS5_fEEvT0_PT3_T1_NS0_13GridEvenShareISB_EET2_|void cub::CUB_200302_750_NS::DeviceReduceKernel<cub::CUB_200302_750_NS::DeviceReducePolicy<float, unsigned int, thrust::plus<void> >::Policy600, float const*, unsigned int, thrust::plus<void>, float>(float const*, float*, unsigned int, cub::CUB_200302_750_NS::GridEvenShare<float>, thrust::plus<void>)",
        "_Z3fooIJifdEEvDpT_|void foo<int, float, double>(int, float, double)",
        "_Z3fooIJEEvDpT_|void foo<>()",
        "_Z3barILb1ELj3ELin5EEvv|void bar<true, 3u, -5>()",
        "_Z1fILN3foo4EnumE1EEvv|void f<(foo::Enum)1>()",
        "_ZN12_GLOBAL__N_16kernelEPf|(anonymous namespace)::kernel(float*)",
        "_Z1fPFviE|f(void (*)(int))",
        "_Z1fPA4_f|f(float (*) [4])",
        "_Z1gRKSt6vectorIfSaIfEE|g(std::vector<float, std::allocator<float> > const&)",
        "_ZZ4mainE6kernel|main::kernel",
        "_Z4testIZ4mainEUliE0_EvT_|void test<main::{lambda(int)#2}>(main::{lambda(int)#2})",
        "_ZN5outerIiE5innerEv|outer<int>::inner()",
        "_ZNK3Foo3barEv|Foo::bar() const",
        "_ZN3FooC1Ei|Foo::Foo(int)",
        "_ZN3FooplERKS_|Foo::operator+(Foo const&)",
        "_Z6kernelPDv4_f|kernel(float __vector(4)*)",
        "_Z7convertI6__halffEvPKT_PT0_m|void convert<__half, float>(__half const*, float*, unsigned long)",
        "_ZN5flash16flash_fwd_kernelI23Flash_fwd_kernel_traitsILi128EN7cutlass6half_tEELb0ELb1EEEv16Flash_fwd_params|void flash::flash_fwd_kernel<Flash_fwd_kernel_traits<128, cutlass::half_t>, false, true>(Flash_fwd_params)"
      })
  void aKernelIsCalledWhatTheProgramCallsIt(String mangled, String readable) {
    assertThat(Demangler.demangle(mangled)).isEqualTo(readable);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "_Z12dsmem_reducePKfPfi|dsmem_reduce",
        "_Z5scaleILi4EfEvPT0_i|scale<4, float>",
        "_ZN8internal5gemvx6kernelIiLb0EEENSt9enable_ifIXntT0_EvE4typeET_|internal::gemvx::kernel<int, false>",
        "my_kernel|my_kernel"
      })
  void aShortNameLeavesOutTheParameters(String mangled, String readable) {
    assertThat(Demangler.shortName(mangled)).isEqualTo(readable);
  }

  @ParameterizedTest
  @ValueSource(strings = {"main", "", "_Z", "_Zfoo", "_Z3fooILi", "_Z3fooE", "_Z99x", "_ZS9_v"})
  void aNameThatIsNotMangledStaysAsItIs(String name) {
    assertThat(Demangler.demangle(name)).isEqualTo(name);
  }

  @Property(tries = 3000, seed = "1")
  void noNameCrashes(@ForAll @StringLength(max = 60) @CharRange(from = '0', to = 'z') String rest) {
    assertThat(Demangler.demangle("_Z" + rest)).isNotNull();
    assertThat(Demangler.demangle("_ZN1aI" + rest)).isNotNull();
  }
}
