"""Runs of Grapevine as one pandas table: a row for every value that a node recorded."""
import json
import pathlib

import pandas as pd


def read(directory):
    run = pathlib.Path(directory)
    table = pd.read_csv(run / "metrics.csv")
    summary = json.loads((run / "summary.json").read_text())
    return table.assign(run=run.name, name=summary["name"], seed=summary["seed"])


def read_all(directory):
    runs = [path.parent for path in sorted(pathlib.Path(directory).glob("**/metrics.csv"))]
    return pd.concat([read(run) for run in runs], ignore_index=True)


if __name__ == "__main__":
    import sys

    table = read_all(sys.argv[1])
    accuracy = table[table.metric == "test_accuracy"]
    print(accuracy.groupby(["run", "round"]).value.agg(["mean", "std", "count"]))
