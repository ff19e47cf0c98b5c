package tightness

import (
	"breadboard/chains"
	"breadboard/exact"
	"breadboard/experiments/study"
)

// never says why no T brings J or B within a goal, where a row shows that; see exact.Reach and exact.Endless.
func never(g study.Goal, row any) error {
	r := row.(*Row)
	if g.Column != "J" && g.Column != "B" || g.Sign[0] != '<' {
		return nil
	}
	if r.Reach != nil && r.Reach.EveryT && r.Reach.Floor > g.Number {
		return chains.NewAdvice("no T will do, since J is never below %.6g where the kernel does not move between classes of states, and B is not below J", r.Reach.Floor)
	}
	const cure = "; {initial} tempered:0.1 starts where the target has mass, from where %s is finite"
	switch J, B := exact.Endless(r.Annealing(), r.Solution); {
	case g.Column == "J" && J:
		return chains.NewAdvice("no T will do, since chains start where the target is zero and may stay there, so that J is +Inf at every T"+cure, "J")
	case g.Column == "B" && B:
		return chains.NewAdvice("no T will do, since one end of the path is zero at states at which the other is not, so that B is +Inf at every T"+cure, "B")
	}
	return nil
}

// sizes are the T that a search can find. Neither J nor B need fall with T.
func sizes() *study.Size {
	return &study.Size{Least: 2, Most: 1_000_000, Never: never}
}
