package dev.grapevine.app.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;

class KubernetesJobTest {

  /** Every key that the text may have, by its place; what is not here does not exist. */
  private static final Set<String> KEYS =
      Set.of(
          "Service.apiVersion=String",
          "Service.kind=String",
          "Service.metadata.name=String",
          "Service.spec.clusterIP=String",
          "Service.spec.publishNotReadyAddresses=Boolean",
          "Service.spec.selector.batch.kubernetes.io/job-name=String",
          "Service.spec.ports[].name=String",
          "Service.spec.ports[].port=Integer",
          "Job.apiVersion=String",
          "Job.kind=String",
          "Job.metadata.name=String",
          "Job.spec.completionMode=String",
          "Job.spec.completions=Integer",
          "Job.spec.parallelism=Integer",
          "Job.spec.backoffLimit=Integer",
          "Job.spec.template.spec.subdomain=String",
          "Job.spec.template.spec.restartPolicy=String",
          "Job.spec.template.spec.terminationGracePeriodSeconds=Integer",
          "Job.spec.template.spec.securityContext.runAsNonRoot=Boolean",
          "Job.spec.template.spec.securityContext.runAsUser=Integer",
          "Job.spec.template.spec.securityContext.runAsGroup=Integer",
          "Job.spec.template.spec.securityContext.fsGroup=Integer",
          "Job.spec.template.spec.containers[].name=String",
          "Job.spec.template.spec.containers[].image=String",
          "Job.spec.template.spec.containers[].command[]=String",
          "Job.spec.template.spec.containers[].env[].name=String",
          "Job.spec.template.spec.containers[].env[].value=String",
          "Job.spec.template.spec.containers[].ports[].name=String",
          "Job.spec.template.spec.containers[].ports[].containerPort=Integer",
          "Job.spec.template.spec.containers[].resources.requests.cpu=String",
          "Job.spec.template.spec.containers[].resources.requests.memory=String",
          "Job.spec.template.spec.containers[].resources.limits.memory=String",
          "Job.spec.template.spec.containers[].securityContext.allowPrivilegeEscalation=Boolean",
          "Job.spec.template.spec.containers[].securityContext.capabilities.drop[]=String",
          "Job.spec.template.spec.containers[].volumeMounts[].name=String",
          "Job.spec.template.spec.containers[].volumeMounts[].mountPath=String",
          "Job.spec.template.spec.containers[].volumeMounts[].readOnly=Boolean",
          "Job.spec.template.spec.containers[].volumeMounts[].subPath=String",
          "Job.spec.template.spec.volumes[].name=String",
          "Job.spec.template.spec.volumes[].configMap.name=String",
          "Job.spec.template.spec.volumes[].secret.secretName=String",
          "Job.spec.template.spec.volumes[].secret.defaultMode=Integer",
          "Job.spec.template.spec.volumes[].persistentVolumeClaim.claimName=String");

  private static List<Map<String, Object>> read(String text) {
    LoaderOptions strict = new LoaderOptions();
    strict.setAllowDuplicateKeys(false);
    List<Map<String, Object>> documents = new ArrayList<>();
    new Yaml(strict).loadAll(text).forEach(document -> documents.add(map(document)));
    return documents;
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> map(Object value) {
    return (Map<String, Object>) value;
  }

  private static Object at(Object value, Object... path) {
    Object here = value;
    for (Object step : path) {
      here = step instanceof Integer index ? ((List<?>) here).get(index) : map(here).get(step);
    }
    return here;
  }

  private static void keys(String place, Object value, Set<String> keys) {
    switch (value) {
      case Map<?, ?> map -> map.forEach((key, inside) -> keys(place + "." + key, inside, keys));
      case List<?> list -> list.forEach(inside -> keys(place + "[]", inside, keys));
      default -> keys.add(place + "=" + value.getClass().getSimpleName());
    }
  }

  private static String text(String... options) {
    return KubernetesJob.text(
        new EngineJob("Ring of 16", Path.of("some/ring.toml"), 8, 2, 3000, List.of(options)),
        "registry.example.org/grapevine:0.1.0");
  }

  @Test
  void hasTheShapeThatKubernetesExpects() {
    List<Map<String, Object>> documents = read(text("--out", "/runs/ring"));

    Set<String> keys = new TreeSet<>();
    documents.forEach(document -> keys(String.valueOf(document.get("kind")), document, keys));
    assertThat(keys).containsExactlyInAnyOrderElementsOf(KEYS);
    assertThat(documents).hasSize(2);
  }

  @Test
  void everyPodIsAWorkerAndFindsTheFirst() {
    List<Map<String, Object>> documents = read(text("--out", "/runs/ring"));
    Object service = documents.get(0);
    Object job = documents.get(1);
    Object pod = at(job, "spec", "template", "spec");
    String name = "grapevine-ring-of-16";

    assertThat(at(service, "metadata", "name")).isEqualTo(name);
    assertThat(at(service, "spec", "clusterIP")).isEqualTo("None");
    assertThat(at(service, "spec", "selector", "batch.kubernetes.io/job-name")).isEqualTo(name);
    assertThat(at(job, "metadata", "name")).isEqualTo(name);
    assertThat(at(job, "spec", "completionMode")).isEqualTo("Indexed");
    assertThat(at(job, "spec", "completions")).isEqualTo(8);
    assertThat(at(job, "spec", "parallelism")).isEqualTo(8);
    assertThat(at(pod, "subdomain")).isEqualTo(name);
    assertThat(at(pod, "restartPolicy")).isEqualTo("Never");
    assertThat(at(pod, "containers", 0, "command"))
        .isEqualTo(
            List.of(
                "sh",
                "-c",
                "umask 077 && cp /etc/grapevine/secret/secret /tmp/secret"
                    + " && exec grapevine worker \"$@\"",
                "worker",
                "/etc/grapevine/experiment/ring.toml",
                "--rendezvous",
                name + "-0." + name + ":7077",
                "--secret",
                "/tmp/secret",
                "--out",
                "/runs/ring"));
    assertThat(at(pod, "containers", 0, "env", 0, "value")).isEqualTo("8");
    assertThat(at(pod, "volumes", 1, "secret", "defaultMode")).isEqualTo(0440);
  }

  /** Every mount has its volume. */
  @Test
  void whatIsMountedIsThere() {
    Object pod = at(read(text()).get(1), "spec", "template", "spec");
    Set<Object> volumes = new TreeSet<>();
    ((List<?>) at(pod, "volumes")).forEach(volume -> volumes.add(at(volume, "name")));
    Set<Object> mounted = new TreeSet<>();
    ((List<?>) at(pod, "containers", 0, "volumeMounts"))
        .forEach(mount -> mounted.add(at(mount, "name")));
    assertThat(mounted).isEqualTo(volumes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"no", "12", "1e3", "a: b", "# x", "\"q\"", "a\\b", "- x", "é", "*x", ""})
  void anyOptionArrivesAsItWasWritten(String option) {
    Object pod = at(read(text(option)).get(1), "spec", "template", "spec");
    assertThat((List<?>) at(pod, "containers", 0, "command")).last().isEqualTo(option);
  }

  @Test
  void namesAreLabels() {
    assertThat(new EngineJob("-- Größe/№ ", Path.of("x"), 1, 1, 0, List.of()).label())
        .isEqualTo("grapevine-gr-e");
    assertThat(new EngineJob("№", Path.of("x"), 1, 1, 0, List.of()).label()).isEqualTo("grapevine");
    assertThat(new EngineJob("x".repeat(200), Path.of("x"), 1, 1, 0, List.of()).label())
        .hasSizeLessThan(63);
  }
}
