package dev.grapevine.settings;

import dev.grapevine.UserException;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles one source file in memory, so that an own algorithm needs no build. */
final class SourceCompiler {

  private SourceCompiler() {}

  /** The class that the file is named after, in a class loader of its own. */
  static Class<?> compile(Path source) {
    if (!Files.isRegularFile(source)) {
      throw new UserException("there is no file %s".formatted(source));
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    if (compiler == null) {
      throw new UserException(
          "compiling %s needs a JDK, but this is a plain Java runtime; set JAVA_HOME to a JDK 25"
              .formatted(source));
    }
    StringWriter out = new StringWriter();
    StandardJavaFileManager files =
        compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8);
    MemoryFiles memory = new MemoryFiles(files);
    boolean compiled =
        compiler
            .getTask(
                out,
                memory,
                null,
                List.of(
                    "-proc:none",
                    "-parameters",
                    "-nowarn",
                    "-classpath",
                    System.getProperty("java.class.path")),
                null,
                files.getJavaFileObjects(source))
            .call();
    if (!compiled) {
      throw new UserException(
          "%s does not compile:%n%s".formatted(source, out.toString().stripTrailing()));
    }
    String simpleName = source.getFileName().toString().replaceFirst("\\.java$", "");
    String className =
        memory.classes.keySet().stream()
            .filter(name -> name.equals(simpleName) || name.endsWith("." + simpleName))
            .findFirst()
            .orElseThrow(() ->
                new UserException(
                    "%s must declare a class called %s".formatted(source, simpleName)));
    try {
      return Class.forName(className, true, new MemoryLoader(memory.classes));
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    } catch (LinkageError e) {
      Throwable reason = e.getCause() == null ? e : e.getCause();
      throw new UserException(
          "%s cannot be loaded: %s".formatted(source, OwnCode.describe(reason)), e);
    }
  }

  private static final class MemoryFiles extends ForwardingJavaFileManager<JavaFileManager> {

    private final Map<String, ByteArrayOutputStream> classes = new TreeMap<>();

    MemoryFiles(JavaFileManager files) {
      super(files);
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
        Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      classes.put(name, bytes);
      return new SimpleJavaFileObject(URI.create("memory:///" + name.replace('.', '/')), kind) {
        @Override
        public OutputStream openOutputStream() {
          return bytes;
        }
      };
    }
  }

  private static final class MemoryLoader extends ClassLoader {

    private final Map<String, ByteArrayOutputStream> classes;

    MemoryLoader(Map<String, ByteArrayOutputStream> classes) {
      super(OwnCode.LOADER, SourceCompiler.class.getClassLoader());
      this.classes = classes;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      ByteArrayOutputStream bytes = classes.get(name);
      if (bytes == null) {
        throw new ClassNotFoundException(name);
      }
      return defineClass(name, bytes.toByteArray(), 0, bytes.size());
    }
  }
}
