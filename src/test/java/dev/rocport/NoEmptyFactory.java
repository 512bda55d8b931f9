package dev.rocport;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/**
 * Fails a {@code TestFactory} that makes no test: where the folder that it looks into has another
 * name, it would pass forever. JUnit finds this class by {@code META-INF/services}.
 */
public final class NoEmptyFactory implements InvocationInterceptor {
  @Override
  @SuppressWarnings("unchecked") // a list of the same tests is what the factory may return, too
  public <T> T interceptTestFactoryMethod(
      Invocation<T> invocation,
      ReflectiveInvocationContext<Method> invoked,
      ExtensionContext context)
      throws Throwable {
    T made = invocation.proceed();
    if (made instanceof Stream<?> stream) {
      try (stream) {
        List<?> tests = stream.toList();
        assertThat(tests).as("tests of %s", context.getDisplayName()).isNotEmpty();
        return (T) tests.stream();
      }
    }
    if (made instanceof Collection<?> tests) {
      assertThat(tests).as("tests of %s", context.getDisplayName()).isNotEmpty();
    }
    return made;
  }
}
