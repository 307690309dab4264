package dev.grapevine.spark;

import java.io.Serializable;
import org.apache.spark.TaskContext;
import scala.collection.Iterator;
import scala.runtime.AbstractFunction2;

/** The result of a partition that has one. */
final class FirstResult extends AbstractFunction2<TaskContext, Iterator<TaskEnd>, TaskEnd>
    implements Serializable {

  private static final long serialVersionUID = 1;

  @Override
  public TaskEnd apply(TaskContext context, Iterator<TaskEnd> ends) {
    return ends.next();
  }
}
