package dev.grapevine.spark;

import dev.grapevine.UserException;
import dev.grapevine.app.deploy.ClusterEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.spark.ExecutorLostFailure;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerApplicationEnd;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction2;
import scala.runtime.BoxedUnit;

/** Starts processes by way of Apache Spark. */
public final class SparkEngine implements ClusterEngine {

  @Override
  public String name() {
    return "spark";
  }

  /** Spark's patience is made for long queues; a launch should fail within a minute. */
  private static SparkConf settings(Order order) {
    SparkConf settings =
        new SparkConf()
            .setAppName(order.name())
            .setMaster(order.master())
            .setJars(JavaSparkContext.jarOfClass(SparkEngine.class))
            .setIfMissing("spark.ui.enabled", "false")
            .setIfMissing("spark.dynamicAllocation.enabled", "false")
            .setIfMissing("spark.scheduler.barrier.maxConcurrentTasksCheck.interval", "5s")
            .setIfMissing("spark.scheduler.barrier.maxConcurrentTasksCheck.maxFailures", "6");
    if (order.together()) {
      // Who has lost a worker cannot go on by starting it anew in the middle.
      settings.set("spark.task.maxFailures", "1");
      settings.set("spark.stage.maxConsecutiveAttempts", "1");
    }
    return settings;
  }

  @Override
  public Started start(Order order) {
    JavaSparkContext context;
    try {
      context = new JavaSparkContext(settings(order));
    } catch (Exception | Error e) {
      throw new UserException(
          "Spark does not start at --master %s: %s".formatted(order.master(), firstLine(e)), e);
    }
    return new Job(context, order);
  }

  private static String firstLine(Throwable failure) {
    String message = failure.getMessage();
    return message == null || message.isBlank()
        ? failure.getClass().getSimpleName()
        : message.strip().lines().findFirst().orElseThrow();
  }

  /** One job of Spark's. */
  private static final class Job implements Started {

    private static final ClassTag<TaskEnd> TAG = ClassTag$.MODULE$.apply(TaskEnd.class);

    private static final String LOGS = "the folder work of Spark's home, executor by executor";

    /** How long what was heard may take to be told, in s. */
    private static final long LISTENING = 5;

    private final JavaSparkContext context;
    private final Order order;
    private final Set<Integer> told = ConcurrentHashMap.newKeySet();
    private final CountDownLatch jobEnded = new CountDownLatch(1);
    private final Thread runner;

    Job(JavaSparkContext context, Order order) {
      this.context = context;
      this.order = order;
      context.sc().addSparkListener(new Listener());
      runner = Thread.ofPlatform().name("spark").start(this::run);
    }

    /** Hears what happens in its order. */
    private final class Listener extends SparkListener {

      /** What a job says of an executor that died is only that a task of its stage has failed. */
      @Override
      public void onTaskEnd(SparkListenerTaskEnd end) {
        if (order.together() && end.reason() instanceof ExecutorLostFailure lost) {
          int task = order.tasks().get(end.taskInfo().partitionId()).number();
          String why = lost.reason().isDefined() ? ": " + lost.reason().get() : "";
          tellLost(
              task,
              "its executor, number %s, was lost%s".formatted(lost.execId(), why.stripTrailing()));
        }
      }

      @Override
      public void onJobEnd(SparkListenerJobEnd end) {
        jobEnded.countDown();
      }

      @Override
      public void onApplicationEnd(SparkListenerApplicationEnd end) {
        tellRest("Spark has given it up; its log is in " + LOGS);
      }
    }

    private void run() {
      String reason = "Spark says that it has ended, and nothing more";
      try {
        runTasks();
      } catch (Exception | Error e) {
        // Spark throws exceptions that its signatures do not tell of.
        reason = "Spark: " + firstLine(e);
        awaitJobEnd();
      }
      tellRest(reason);
    }

    /** The one who listens may know better what has happened; a job that never began has no end. */
    private void awaitJobEnd() {
      try {
        jobEnded.await(LISTENING, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private void tellRest(String reason) {
      for (Task task : order.tasks()) {
        tellLost(task.number(), reason);
      }
    }

    private void tellLost(int task, String reason) {
      if (told.add(task)) {
        order.ends().ended(task, order.master(), OptionalInt.empty(), reason);
      }
    }

    /** Hears of each task as it ends, not of all at the end: one may end long before the others. */
    private void runTasks() {
      List<TaskStart> starts =
          order.tasks().stream()
              .map(task ->
                  new TaskStart(
                      task.number(),
                      new ArrayList<>(task.command()),
                      new HashMap<>(task.environment()),
                      order.directory().toAbsolutePath().toString(),
                      order.input()))
              .toList();
      JavaRDD<TaskStart> tasks = context.parallelize(starts, starts.size());
      RDD<TaskEnd> ends =
          order.together()
              ? tasks.rdd().barrier().<TaskEnd>mapPartitions(new BarrierTask(), false, TAG)
              : tasks.mapPartitions(new ProcessTask()).rdd();
      context
          .sc()
          .runJob(
              ends,
              new FirstResult(),
              CollectionConverters.asScala(
                      IntStream.range(0, starts.size()).<Object>mapToObj(i -> i).toList())
                  .toSeq(),
              new AbstractFunction2<Object, TaskEnd, BoxedUnit>() {
                @Override
                public BoxedUnit apply(Object partition, TaskEnd end) {
                  tell(end);
                  return BoxedUnit.UNIT;
                }
              },
              TAG);
    }

    private void tell(TaskEnd end) {
      told.add(end.task());
      order.ends().ended(end.task(), end.host(), OptionalInt.of(end.exitCode()), end.lastWords());
    }

    @Override
    public void await() throws InterruptedException {
      runner.join();
    }

    @Override
    public void close() {
      if (!context.sc().isStopped()) {
        context.sc().cancelAllJobs();
      }
      try {
        runner.join(Duration.ofSeconds(15));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      context.close();
    }
  }
}
