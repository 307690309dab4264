package dev.grapevine.app.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.json.JsonMapper;

/** Puts data, script, style and the chart library (uPlot, MIT licence) together to one page. */
public final class PageFile {

  /** JSON without NaN: what is not known is null. */
  public static final JsonMapper JSON = JsonMapper.builder().build();

  private static final Pattern PLACE = Pattern.compile("\\{\\{([a-z.]+)}}");

  private PageFile() {}

  /** The whole page as HTML. */
  public static String html(Map<String, ?> data) {
    return PLACE
        .matcher(resource("page.html"))
        .replaceAll((MatchResult place) -> Matcher.quoteReplacement(part(place.group(1), data)));
  }

  private static String part(String name, Map<String, ?> data) {
    return switch (name) {
      case "title" -> escaped(String.valueOf(data.get("title")));
      case "uplot.css" -> resource("uplot/uPlot.min.css");
      case "uplot.js" ->
          "/* uPlot, MIT licence:\n"
              + resource("uplot/LICENSE")
              + "*/\n"
              + resource("uplot/uPlot.iife.min.js");
      case "page.css", "page.js" -> resource(name);
      // Within a script element, only a tag could end it.
      case "data" -> JSON.writeValueAsString(data).replace("<", "\\u003c");
      default -> throw new IllegalStateException("the page has no part of this name: " + name);
    };
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;");
  }

  private static String resource(String name) {
    try (InputStream in = PageFile.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("a part of the page is missing: " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
