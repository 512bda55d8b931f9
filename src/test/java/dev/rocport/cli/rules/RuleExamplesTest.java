package dev.rocport.cli.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.cli.option.PortChoices;
import dev.rocport.examples.RuleExamples;
import dev.rocport.render.text.Paper;
import dev.rocport.rules.RuleCatalog;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every rule that rocport comes with holds to its examples. */
class RuleExamplesTest {
  @TestFactory
  Stream<DynamicTest> everyRuleHoldsToItsExamples() {
    RuleCatalog catalog = RuleCatalog.builtIn();
    RuleExamples examples = new RuleExamples(catalog, PortChoices::parse);
    return catalog.rules().stream()
        .map(
            rule ->
                DynamicTest.dynamicTest(
                    rule.id(),
                    () ->
                        assertThat(
                                examples.run(rule).stream()
                                    .map(f -> RulesTestCommand.text(f, Paper.PLAIN))
                                    .collect(Collectors.joining()))
                            .isEmpty()));
  }
}
