package dev.grapevine;

import java.io.FileNotFoundException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/**
 * What went wrong with a file, in words. The messages of the platform's own exceptions are often
 * the path alone, which the sentence around them has said already.
 */
public final class FileProblem {

  private FileProblem() {}

  /** The reason without the path. */
  public static String reason(Exception failure) {
    return switch (failure) {
      case AccessDeniedException denied -> "permission denied";
      case NoSuchFileException missing -> "there is no such file";
      case FileAlreadyExistsException there -> "it is there already";
      case NotDirectoryException file -> "it is no directory";
      case DirectoryNotEmptyException full -> "it is not empty";
      case FileSystemLoopException loop -> "symbolic links lead in a circle";
      case CharacterCodingException bytes -> "it is not text in UTF-8";
      // Its message is the path and, in parentheses, the system's reason.
      case FileNotFoundException old when old.getMessage() != null ->
          old.getMessage().replaceFirst("^.*\\((.*)\\)$", "$1");
      case FileSystemException other when other.getReason() != null -> other.getReason();
      default ->
          failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
    };
  }
}
