"""Who belongs together in Les Miserables? The densest group of exactly k characters.

Donald Knuth's graph of the novel (it comes with networkx): 77 characters, and for every pair the number of chapters in
which they meet. The densest k-subgraph is the group of k with the most meetings inside. Beside the annealer on the shell
stand the usual greedy rule (remove who meets the others least, again and again) and, for k = 3, all 73,150 groups.

    python dense_subgraph.py [figure.svg]
"""

import sys
from itertools import combinations
from textwrap import fill

import networkx as nx

import nhot

SIZES = range(2, 31)
SHOWN = 16
graph = nx.les_miserables_graph()


def meetings(group):
    return graph.subgraph(group).size(weight="weight")


def greedy(size):
    left = graph.copy()
    while len(left) > size:
        left.remove_node(min(sorted(left), key=lambda who: left.degree(who, weight="weight")))
    return meetings(left)


model = nhot.qubo({(u, v): -weight for u, v, weight in graph.edges(data="weight")})  # E = -(meetings inside)
best = {size: nhot.anneal(model, size, reads=64, seed=1, progress=False).best for size in SIZES}
print(" k  nhot  greedy")
for size in (3, 4, 8, 12, 16, 20):
    print(f"{size:2}  {-best[size].energy:4.0f}  {greedy(size):6.0f}")
behind = sum(greedy(size) < -best[size].energy - 0.5 for size in SIZES)
print(f"greedy is behind at {behind} of {len(SIZES)} sizes, ahead at {sum(greedy(size) > -best[size].energy + 0.5 for size in SIZES)}")
print(f"k = 3, all groups: {max(map(meetings, combinations(graph, 3))):.0f} at most")
print(fill(f"the {SHOWN}: " + ", ".join(sorted(best[SHOWN].chosen)), 90))

if len(sys.argv) > 1:
    from figure_style import plt, save

    places = nx.spring_layout(graph, seed=4, k=0.28, iterations=300)

    def draw(scheme):
        figure, (picture, curve) = plt.subplots(2, 1, figsize=(6.2, 7.2), height_ratios=(2.1, 1), layout="constrained")
        chosen = set(best[SHOWN].chosen)
        inside = [edge for edge in graph.edges if chosen.issuperset(edge)]
        nx.draw_networkx_edges(graph, places, ax=picture, edge_color=scheme["grid"], width=0.8)
        nx.draw_networkx_edges(graph, places, ax=picture, edgelist=inside, edge_color=scheme["colours"][1], width=1.1)
        for group, colour, size in ((set(graph) - chosen, scheme["colours"][0], 22), (chosen, scheme["colours"][1], 60)):
            nx.draw_networkx_nodes(graph, places, ax=picture, nodelist=sorted(group), node_color=colour, node_size=size, linewidths=0)
        picture.set(title=f"the densest group of exactly {SHOWN}")
        picture.axis("off")
        curve.plot(SIZES, [-best[size].energy for size in SIZES], "o-", ms=4, color=scheme["colours"][0], label="nhot anneal")
        curve.plot(SIZES, [greedy(size) for size in SIZES], "s--", ms=3, color=scheme["colours"][1], label="greedy removal")
        curve.set(xlabel="size of the group, k", ylabel="meetings inside", title="for every size")
        curve.legend()
        return figure

    save(draw, sys.argv[1])
