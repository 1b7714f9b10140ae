package dev.warpline.nvidia.emulate;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Copies of the class of a loop over lanes, one for each function that is called in it. The
 * compiler of the virtual machine looks at what a loop's class has called so far: where that is
 * always the same function it becomes part of the loop, which then runs several times faster.
 */
final class LoopCopies extends ClassValue<MethodHandle> {
  private final Class<?> loop;
  private final MethodType constructor;

  /**
   * @param loop class of the loop, of this package and not inside of another
   * @param parameters of its constructor
   */
  LoopCopies(Class<?> loop, Class<?>... parameters) {
    this.loop = loop;
    this.constructor = MethodType.methodType(void.class, parameters);
  }

  @Override
  protected MethodHandle computeValue(Class<?> function) {
    try (InputStream in = loop.getResourceAsStream(loop.getSimpleName() + ".class")) {
      MethodHandles.Lookup copy =
          MethodHandles.lookup().defineHiddenClass(in.readAllBytes(), false);
      MethodHandle made = copy.findConstructor(copy.lookupClass(), constructor);
      return made.asSpreader(Object[].class, constructor.parameterCount())
          .asType(MethodType.methodType(LaneOperation.class, Object[].class));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A loop that calls a function, of a class that calls no other. */
  LaneOperation of(Object function, Object... parameters) {
    try {
      return (LaneOperation) get(function.getClass()).invokeExact(parameters);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
