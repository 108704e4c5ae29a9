"""A walk across shells, written out: the intracluster move in plain Python, the slow way.

A walk starts from a state with n ones. In each of its first `length` steps a one becomes a zero, in each of the next
`length` steps a zero becomes a one. A site is picked in proportion to 1 / (1 + exp(beta * change)), where `change` is what
its flip would do to the energy. At the end the walk is accepted or refused as a whole. This draws a few such walks and
compares the share that is accepted with that of nhot.

    python walk.py [figure.svg]
"""

import sys

import numpy as np

import nhot

SITES, ONES, BETA, LENGTH = 64, 32, 0.6, 6
model = nhot.ferromagnet(8, 8)


def weights(x):
    """The weight of every site, from the energies of all states that one flip leads to."""
    changes = model.energy(x ^ np.eye(SITES, dtype=np.uint8)) - model.energy(x)
    return 1 / (1 + np.exp(BETA * changes))


def walk(x, rng):
    """The states of a walk, and whether it is accepted."""
    states, log_ratio = [x], 0.0
    for step in range(2 * LENGTH):
        picked_from = 1 if step < LENGTH else 0
        allowed = np.where(x == picked_from, weights(x), 0)
        site = rng.choice(SITES, p=allowed / allowed.sum())
        x = x.copy()
        x[site] ^= 1
        # The way back would pick this site among those that are now as it is.
        back = np.where(x != picked_from, weights(x), 0)
        log_ratio += np.log(allowed.sum()) - np.log(back.sum())
        states.append(x)
    return states, rng.random() < np.exp(min(0.0, log_ratio))


rng = np.random.default_rng(3)
move = f"im:length={LENGTH},order=up-down"
run = nhot.sample(model, ONES, beta=BETA, move=move, moves=4_000, seed=1, states=200, progress=False)
starts = run.states.reshape(-1, SITES)
walks = [walk(start, rng) for start in starts]
share = np.mean([accepted for _, accepted in walks])
error = np.sqrt(share * (1 - share) / len(walks))
print(f"{len(walks)} walks in plain Python: {share:.3f} +- {error:.3f} accepted")
print(f"nhot, {move}: {run.summary()['acceptance']:.3f}")
assert abs(share - run.summary()["acceptance"]) < 4 * error

if len(sys.argv) > 1:
    from figure_style import plt, save

    shown = walks[0][0]
    others = [states for states, accepted in walks[1:9]]

    def draw(scheme):
        figure, (shells, energy) = plt.subplots(2, 1, figsize=(6.2, 5.4), height_ratios=(3, 1.6), sharex=True, layout="constrained")
        steps = np.arange(2 * LENGTH + 1)
        ones = [state.sum() for state in shown]
        shells.plot(steps, ones, "-", color=scheme["colours"][0], marker="o", ms=5)
        shells.set(ylim=(ONES - LENGTH - 0.8, ONES + 4), yticks=range(ONES - LENGTH, ONES + 1), ylabel="number of ones",
                   title="one walk; every line is a shell, orange marks what has changed")
        shells.grid(axis="x", visible=False)
        for step, left in ((0, 0.01), (LENGTH // 2, 0.215), (LENGTH, 0.42), (3 * LENGTH // 2, 0.625), (2 * LENGTH, 0.83)):
            picture = shells.inset_axes((left, 0.735, 0.16, 0.26))
            colours = np.array([[plt.matplotlib.colors.to_rgb(c) for c in (scheme["grid"], scheme["colours"][0])]])[0]
            image = colours[shown[step].reshape(8, 8)]
            changed = (shown[step] != shown[0]).reshape(8, 8)
            picture.imshow(image)
            for row, column in zip(*np.nonzero(changed)):
                picture.plot(column, row, "s", ms=3.2, mfc="none", mec=scheme["colours"][1], mew=1.2)
            picture.set(xticks=[], yticks=[])
            picture.set_xlabel(f"step {step}", fontsize=8.5, labelpad=1)
            for side in picture.spines.values():
                side.set_visible(False)
        for states in others:
            energy.plot(steps, [model.energy(state) for state in states], color=scheme["ink"], lw=0.8, alpha=0.35)
        energy.plot(steps, [model.energy(state) for state in shown], color=scheme["colours"][0], lw=2, marker="o", ms=4)
        energy.set(xlabel="step of the walk", ylabel="energy", xticks=steps[::2], title="its energy, and that of eight others")
        return figure

    save(draw, sys.argv[1])
