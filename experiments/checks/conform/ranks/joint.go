package ranks

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"breadboard/chains/errs"
	"breadboard/chains/simulate"
	"breadboard/experiments/draws/files"
)

// mostProducts is the number of variables up to which products of two of them are ranked, too.
const mostProducts = 6

// OfJoint returns the ranks of states of chains among draws that were simulated forward: those of
// Geweke's joint test (Geweke 2004), exact for chains of any length. Each chain begins with its own
// draw of parameters and data, so that for a correct sampler the states of all chains at one time
// are independent draws with the distribution of the forward draws. Each is ranked among at most
// the given number of draws, which no other chain uses; the rank is uniform. Ranks are taken at the
// last draw, and after a half and a quarter of the draws. Ties are broken at random. Notes name the
// limits of the test.
func OfJoint(forward, successive *files.Draws, most int,
	seed uint64) (list []Variable, notes []string, err error) {
	if err := sameVariables(forward, successive); err != nil {
		return nil, nil, err
	}
	length := len(successive.Values[0][0])
	count := len(successive.Values[0])
	simulated := 0
	for _, chain := range forward.Values[0] {
		simulated += len(chain)
	}
	draws := min(most, simulated/count)
	notes = slices.Concat(forward.Notes, successive.Notes)
	switch {
	case len(forward.Values[0]) > 1 && simulated > len(forward.Values[0]):
		return nil, nil, errs.New(
			"%s has %d chains of draws; forward draws are independent of each other: leave the column "+
				"chain out if these are, or give the files in the order FORWARD SUCCESSIVE",
			file(forward),
			len(forward.Values[0]),
		)
	case count == 1:
		return nil, nil, errs.New(
			"%s has a single chain, whose draws depend on each other; write at least 100 chains, each "+
				"beginning with a forward draw of its own, with a column chain",
			file(successive),
		)
	case draws == 0:
		return nil, nil, errs.New(
			"%s has %d draws for %d chains; each chain is ranked among draws of its own: simulate more, "+
				"or fewer chains",
			file(forward),
			simulated,
			count,
		)
	}
	times := []int{length - 1}
	for _, t := range []int{(length - 1) / 2, (length - 1) / 4} {
		if t > 0 && !slices.Contains(times, t) {
			times = append(times, t)
		}
	}
	rng := rand.New(simulate.NewStream(seed, "joint", 0))
	pooled := rand.New(simulate.NewStream(seed, "joint", 1))
	for _, s := range statistics(forward, successive) {
		for _, t := range times {
			v := Variable{Name: fmt.Sprintf("%s at draw %d", s.name, t+1), Draws: draws}
			ends := make([]float64, count)
			for c := range ends {
				ends[c] = s.successive(c, t)
				v.Ranks = append(v.Ranks, rank(ends[c], s.forward[c*draws:][:draws], rng))
			}
			mean, sd := stat.MeanStdDev(ends, nil)
			ofMean, ofSD := stat.MeanStdDev(s.forward, nil)
			v.Differs = fmt.Sprintf(
				"the chains have the mean %.4g and the standard deviation %.4g, the forward draws %.4g and %.4g",
				mean,
				sd,
				ofMean,
				ofSD,
			)
			if t == length-1 {
				v.Pooled = s.pooled(count, length, draws, pooled)
			}
			list = append(list, v)
		}
	}
	if still := unmoved(successive); len(still) > 0 {
		notes = append(notes, fmt.Sprintf("%s never changed in any chain; such a chain passes, whatever the sampler is",
			strings.Join(still, ", ")))
	}
	return list, append(notes, fmt.Sprintf(
		"ranks are among %d of %d forward draws; the test does not see a sampler that moves slowly, nor a "+
			"fault that leaves the ranks of each variable, and of products of two, as they are",
		draws,
		simulated,
	)), nil
}

// file returns the name of the file of draws.
func file(d *files.Draws) string {
	name, _, _ := strings.Cut(d.Sources[0], ", chain ")
	return name
}

// sameVariables fails unless both have the same variables, all finite.
func sameVariables(forward, successive *files.Draws) error {
	for _, d := range []*files.Draws{forward, successive} {
		for i, name := range d.Names {
			if d.NotFinite[i] != "" {
				return fmt.Errorf("%s: %s has missing or infinite values: %s", file(d), name, d.NotFinite[i])
			}
		}
		if d.Weights != nil {
			return errs.New("%s has weights; this test is of draws without", file(d))
		}
	}
	for _, of := range [][2]*files.Draws{{forward, successive}, {successive, forward}} {
		for _, name := range of[0].Names {
			if !slices.Contains(of[1].Names, name) {
				return errs.New(
					"%s has the variable %s and %s has not; give both files the same columns, or say what "+
						"it is by {column} %[2]s=ROLE",
					file(of[0]),
					name,
					file(of[1]),
				)
			}
		}
	}
	return nil
}

// statistic is what is ranked.
type statistic struct {
	name       string
	forward    []float64
	successive func(chain, draw int) float64
}

// statistics returns the variables, and products of two.
func statistics(forward, successive *files.Draws) (list []statistic) {
	of := func(i int) statistic {
		own := successive.Values[slices.Index(successive.Names, forward.Names[i])]
		return statistic{forward.Names[i], slices.Concat(forward.Values[i]...),
			func(c, t int) float64 { return own[c][t] }}
	}
	for i := range forward.Names {
		list = append(list, of(i))
	}
	if n := len(list); n <= mostProducts {
		for i, a := range list[:n] {
			for _, b := range list[i+1 : n] {
				product := slices.Clone(a.forward)
				for k, v := range b.forward {
					product[k] *= v
				}
				list = append(list, statistic{a.name + "*" + b.name, product,
					func(c, t int) float64 { return a.successive(c, t) * b.successive(c, t) }})
			}
		}
	}
	return list
}

// pooled returns by how many standard errors the mean rank of all draws of the chains, each among
// the forward draws of its chain, is off: as many as have the probability of Student's t, since few
// chains estimate their standard error badly. The mean ranks of chains are independent.
func (s *statistic) pooled(count, length, draws int, rng *rand.Rand) float64 {
	means := make([]float64, count)
	for c := range means {
		for t := range length {
			means[c] += float64(rank(s.successive(c, t), s.forward[c*draws:][:draws], rng)) / float64(draws*length)
		}
	}
	mean, sd := stat.MeanStdDev(means, nil)
	t := (mean - 0.5) / sd * math.Sqrt(float64(count))
	chance := distuv.StudentsT{Sigma: 1, Nu: float64(max(1, count-1))}.CDF(-math.Abs(t))
	return math.Copysign(distuv.UnitNormal.Quantile(chance), t)
}

// rank returns the number of draws below a value, with ties broken at random.
func rank(value float64, draws []float64, rng *rand.Rand) int {
	below := 0
	ties := 0
	for _, d := range draws {
		switch {
		case d < value:
			below++
		case d == value:
			ties++
		}
	}
	return below + rng.IntN(ties+1)
}

// unmoved lists the variables that have one value in each chain.
func unmoved(d *files.Draws) (names []string) {
	for i, of := range d.Values {
		if !slices.ContainsFunc(of, func(chain []float64) bool {
			return math.Abs(slices.Max(chain)-slices.Min(chain)) > 0
		}) && len(of[0]) > 1 {
			names = append(names, d.Names[i])
		}
	}
	return names
}
