"""Writes graphs.txt: graphs with the diameter and spectral gaps that networkx and numpy find.

Line: name directed nodes diameter gap(metropolis-hastings, or nan) gap(uniform) edges...
"""
import networkx as nx
import numpy as np


def gap(graph, rule):
    n = graph.number_of_nodes()
    w = np.zeros((n, n))
    for i in range(n):
        heard = list(graph.predecessors(i) if graph.is_directed() else graph.neighbors(i))
        for j in heard:
            if rule == "uniform":
                w[i, j] = 1 / (1 + len(heard))
            else:
                w[i, j] = 1 / (1 + max(graph.degree(i), graph.degree(j)))
        w[i, i] = 1 - w[i].sum()
    p = np.eye(n) - np.ones((n, n)) / n
    return 1 - np.linalg.norm(p @ w @ p, 2)


def relabel(graph):
    return nx.convert_node_labels_to_integers(graph, ordering="sorted")


graphs = {
    "ring-10": nx.cycle_graph(10),
    "ring-501": nx.cycle_graph(501),
    "star-7": nx.star_graph(6),
    "complete-8": nx.complete_graph(8),
    "path-12": nx.path_graph(12),
    "grid-4x6": relabel(nx.grid_2d_graph(4, 6)),
    "torus-4x6": relabel(nx.grid_2d_graph(4, 6, periodic=True)),
    "hypercube-16": relabel(nx.hypercube_graph(4)),
    "tree-15": nx.balanced_tree(2, 3),
    "bipartite-3-5": nx.complete_bipartite_graph(3, 5),
    "regular-96-4": nx.random_regular_graph(4, 96, seed=3),
    "regular-300-5": nx.random_regular_graph(5, 300, seed=4),
    "small-world-60": nx.connected_watts_strogatz_graph(60, 4, 0.2, seed=5),
    "erdos-renyi-80": nx.gnp_random_graph(80, 0.1, seed=6),
    "barbell-20": nx.barbell_graph(8, 4),
    "directed-ring-9": nx.cycle_graph(9, create_using=nx.DiGraph),
    "directed-exponential-12": nx.DiGraph([(i, (i + h) % 12) for i in range(12) for h in (1, 2, 4, 8)]),
    "directed-random-30": nx.gnp_random_graph(30, 0.25, seed=8, directed=True),
}
with open("graphs.txt", "w") as out:
    for name, graph in graphs.items():
        directed = graph.is_directed()
        assert nx.is_strongly_connected(graph) if directed else nx.is_connected(graph), name
        fields = [name, str(directed).lower(), graph.number_of_nodes(), nx.diameter(graph)]
        fields.append("nan" if directed else repr(float(gap(graph, "mh"))))
        fields.append(repr(float(gap(graph, "uniform"))))
        fields += [f"{x}-{y}" for x, y in graph.edges()]
        print(*fields, file=out)
