package dev.grapevine.data.source;

import dev.grapevine.UserException;
import java.nio.file.Path;
import java.util.List;

/** LEAF's folders, with or without its extra level {@code data}. */
final class LeafFolder {

  private LeafFolder() {}

  static List<Path> train(SetFolder folder) {
    return folder.jsonFiles("train", "data/train");
  }

  static List<Path> test(SetFolder folder) {
    return folder.jsonFiles("test", "data/test");
  }

  static boolean present(SetFolder folder) {
    try {
      return !train(folder).isEmpty() && !test(folder).isEmpty();
    } catch (UserException missing) {
      return false;
    }
  }
}
