package dev.grapevine.spark;

import java.io.Serializable;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;

/** {@link ProcessTask} as a barrier stage wants it, which Spark offers to Scala alone. */
final class BarrierTask extends AbstractFunction1<Iterator<TaskStart>, Iterator<TaskEnd>>
    implements Serializable {

  private static final long serialVersionUID = 1;

  @Override
  public Iterator<TaskEnd> apply(Iterator<TaskStart> starts) {
    try {
      return CollectionConverters.asScala(
          new ProcessTask().call(CollectionConverters.asJava(starts)));
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(String.valueOf(e.getMessage()), e);
    }
  }
}
