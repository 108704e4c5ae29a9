"""A lattice gas with a fixed number of particles comes apart as it is cooled.

24 x 24 sites, half of them occupied, neighbours attract. For ten temperatures: the energy per site, the strength of the
longest wave in the density (its structure factor per site, averaged over the two directions: near 0 where particles are
spread evenly, 0.20 where one half of the lattice is full and the other empty), and the verdict. The figure shows one state at three of them.

    python phases.py [figure.svg]
"""

import sys

import nhot

SIDE = 24
SHOWN = (1.6, 2.2, 3.2)
model = nhot.ferromagnet(SIDE, SIDE)
rows, states = [], {}
print("   T  energy per site      longest wave  converged")
for temperature in (1.6, 1.8, 2.0, 2.1, 2.2, 2.3, 2.4, 2.6, 2.9, 3.2):
    run = nhot.sample(model, SIDE * SIDE // 2, beta=1 / temperature, move="0.95*im:length=1..5 + 0.05*cluster", moves=60_000,
                      chains=4, seed=1, progress=False)
    found = run.summary()["observables"]
    energy, mode = found["energy"], found["slowest_mode"]
    rows.append((temperature, mode["mean"] / model.sites, mode["mcse"] / model.sites))
    states[temperature] = run.states[0, -1].reshape(SIDE, SIDE)
    print(f"{temperature:4.1f}  {energy['mean'] / model.sites:8.4f} +- {energy['mcse'] / model.sites:.4f}  "
          f"{rows[-1][1]:6.4f} +- {rows[-1][2]:.4f}  {'yes' if run.converged else 'no'}")

if len(sys.argv) > 1:
    from matplotlib.colors import ListedColormap

    from figure_style import plt, save

    def draw(scheme):
        figure = plt.figure(figsize=(6.2, 4.9), layout="constrained")
        axes = figure.subplot_mosaic("abc;ddd", height_ratios=(1, 1.15))
        for key, temperature in zip("abc", SHOWN):
            axes[key].imshow(states[temperature], cmap=ListedColormap([scheme["grid"], scheme["colours"][0]]))
            axes[key].set(xticks=[], yticks=[], title=f"T = {temperature}")
            axes[key].spines[:].set_visible(False)
        below = axes["d"]
        below.errorbar(*zip(*[(t, mean, 2 * error) for t, mean, error in rows]), fmt="o-", ms=4, lw=1.3, capsize=3, color=scheme["colours"][0])
        below.axvline(2.269, color=scheme["ink"], lw=0.9, ls=(0, (4, 4)))
        below.annotate("critical temperature of the\ninfinite lattice, 2.269", (2.30, 0.155), color=scheme["ink"], fontsize=9)
        below.set(xlabel="temperature T = 1/beta", ylabel="longest wave\n(per site, 2 standard errors)", ylim=(0, 0.21), title="the order that grows")
        return figure

    save(draw, sys.argv[1])
