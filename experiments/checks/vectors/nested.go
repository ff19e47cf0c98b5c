package vectors

import (
	"math"

	"breadboard/chains/number"
)

// lost returns the volume that is lost at each death if the volume shrinks by a factor.
func lost(points num, deaths int, kept func(points num) num) (shells []num, rest num) {
	rest = of(1)
	for range deaths {
		after := rest.times(kept(points))
		shells, rest = append(shells, rest.minus(after)), after
	}
	return shells, rest
}

// The factors by which a volume shrinks.
func byExp(points num) num   { return of(-1).over(points).exp() }
func byPaper(points num) num { return points.over(points.plus(of(1))) }
func byShare(points num) num { return points.minus(of(1)).over(points) }

// evidence returns the log of the sum of likelihoods times volumes. The live points share the rest.
func evidence(dead, live []num, points num, kept func(num) num, final func(live []num) num) num {
	shells, rest := lost(points, len(dead), kept)
	sum := dot(mapped(dead, num.exp), shells)
	if final != nil {
		sum = sum.plus(rest.times(final(mapped(live, num.exp))))
	}
	return sum.log()
}

func ofNested() []*Routine {
	ran := []Argument{{"log_l_dead", List, "log likelihoods of the dead points, in the order of their deaths"}, {"log_l_live", List, "those of the K live points at the end"}}
	z := func(kept func(num) num, final func([]num) num) answer {
		return scalars(func(in inputs) num {
			return evidence(in.nums(0), in.nums(1), of(float64(len(in.list(1)))), kept, final)
		})
	}
	highest := func(live []num) num { return live[best(live)] }
	shells := func(f func(in inputs) []num) answer { return lists(f) }
	logs := func(kept func(num) num) answer {
		return shells(func(in inputs) []num {
			volumes, _ := lost(in.num(0), in.whole(1), kept)
			return mapped(volumes, num.log)
		})
	}
	var sizes []example
	for _, k := range []float64{2, 5, 50, 1000} {
		for _, deaths := range []float64{1, 3, 10, 40} {
			sizes = append(sizes, example{"K" + of(k).v.Text('g', 4) + "-" + of(deaths).v.Text('g', 4), "", given(value(k), value(deaths))})
		}
	}
	return []*Routine{
		{
			Name: "nested_log_z", Definition: "log of the sum of L_i (X_(i-1) - X_i) over the deaths, X_i = exp(-i/K), plus the mean L of the K live points times the last X",
			Source: "Skilling 2006", Inputs: ran, Output: Number, Tolerance: 1e-11, scale: largest, cases: examples("nested runs"), define: z(byExp, mean),
			Mistakes: []Mistake{
				{"the live points are left out", false, z(byExp, nil)}, {"the largest likelihood of the live points, and not their mean", false, z(byExp, highest)},
				{"the sum over the live points, and not their mean", false, z(byExp, total)},
				{"the volume shrinks by K/(K + 1)", true, z(byPaper, mean)}, {"the volume shrinks by 1 - 1/K", true, z(byShare, mean)},
				{"exponentials are taken of the likelihoods", false, plain(func(in inputs) float64 {
					shells, rest := lost(of(float64(len(in.list(1)))), len(in.list(0)), byExp)
					sum := 0.0
					for i, v := range in.list(0) {
						sum += math.Exp(v) * shells[i].float()
					}
					for _, v := range in.list(1) {
						sum += math.Exp(v) * rest.float() / float64(len(in.list(1)))
					}
					return number.Log(sum)
				})},
				{"each death weighs X_i, and not what is lost", false, scalars(func(in inputs) num {
					k := of(float64(len(in.list(1))))
					shells, rest := lost(k, len(in.list(0)), byExp)
					over := of(1).minus(byExp(k)).over(byExp(k))
					return dot(mapped(in.nums(0), num.exp), mapped(shells, func(v num) num { return v.over(over) })).plus(rest.times(mean(mapped(in.nums(1), num.exp)))).log()
				})},
			},
		},
		{
			Name: "nested_log_volumes", Definition: "log(X_(i-1) - X_i) for the deaths i = 1 to n, X_i = exp(-i/K)", Source: "Skilling 2006",
			Inputs: []Argument{{"points", Number, "K, the number of live points"}, {"deaths", Number, "n"}}, Output: List, Tolerance: 1e-11, scale: unit,
			cases: sizes, define: logs(byExp),
			Mistakes: []Mistake{
				{"the volume shrinks by K/(K + 1)", true, logs(byPaper)}, {"the volume shrinks by 1 - 1/K", true, logs(byShare)},
				{"log X_i, and not that of what is lost", false, lists(func(in inputs) (out []num) {
					for i := range in.whole(1) {
						out = append(out, of(float64(-i-1)).over(in.num(0)))
					}
					return out
				})},
				{"deaths are counted from 0", false, lists(func(in inputs) []num {
					volumes, _ := lost(in.num(0), in.whole(1)+1, byExp)
					return mapped(volumes[1:], num.log)
				})},
				{"the trapezoid (X_(i-1) - X_(i+1))/2", true, lists(func(in inputs) []num {
					volumes, _ := lost(in.num(0), in.whole(1)+1, byExp)
					return mapped(volumes[1:], func(v num) num { return v.over(byExp(in.num(0))).plus(v).scaled(0.5).log() })
				})},
			},
		},
	}
}
