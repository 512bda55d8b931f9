package dev.rocport.fleet;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;

/** The program that {@code rocport fleet} starts; it reads its settings from standard input. */
public final class FleetMain {
  private static final int USAGE = 2;
  private static final int BUG = 70;
  private static final ObjectMapper JSON =
      new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

  private FleetMain() {}

  public static void main(String[] args) throws IOException {
    System.exit(run(System.in, System.out, System.err));
  }

  /**
   * Runs a command.
   *
   * @param in the settings as JSON
   * @return the exit code
   */
  static int run(InputStream in, PrintStream out, PrintStream err) throws IOException {
    JsonNode settings = JSON.readTree(in);
    try {
      return switch (settings.path("command").asText()) {
        case "audit", "bill", "port" ->
            new FleetWork(JSON.treeToValue(settings, WorkSettings.class), err).run();
        case "report" -> new FleetReport(JSON.treeToValue(settings, ReportSettings.class)).run(out);
        case "cost" -> new FleetCost(JSON.treeToValue(settings, CostSettings.class)).run(out);
        case "verify" ->
            new FleetVerify(JSON.treeToValue(settings, VerifySettings.class), err).run();
        default -> throw new FleetException("unknown command");
      };
    } catch (FleetException e) {
      err.println("rocport: " + e.getMessage());
      return USAGE;
    } catch (IOException e) {
      err.println("rocport: " + Folders.reason(e));
      return USAGE;
    } catch (RuntimeException e) {
      err.println("rocport: internal error, please report it: " + e);
      e.printStackTrace(err);
      return BUG;
    }
  }
}
