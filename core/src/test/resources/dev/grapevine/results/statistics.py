"""Writes statistics.txt with scipy's answers.

Lines: sample <mean> <std, n-1> <half width of 95 % interval> : values
       paired <difference> <t> <p> : first values : second values
"""
import numpy as np
from scipy import stats

random = np.random.default_rng(90)
with open("statistics.txt", "w") as out:
    for n in (2, 3, 5, 10, 16, 96, 300):
        x = random.normal(0.7, 0.05, n)
        half = stats.t.ppf(0.975, n - 1) * stats.sem(x)
        print("sample", x.mean(), x.std(ddof=1), half, ":", *x, file=out)
    for n, shift in ((2, 0.1), (3, 0.0), (5, 0.02), (10, 0.05), (30, 0.01), (100, 0.5)):
        x = random.normal(0.7, 0.05, n)
        y = x + shift + random.normal(0, 0.03, n)
        test = stats.ttest_rel(x, y)
        print("paired", (x - y).mean(), test.statistic, test.pvalue, ":", *x, ":", *y, file=out)
