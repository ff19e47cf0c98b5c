package toys

import (
	"fmt"
	"math"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/grid/quotients"
)

// coins returns the posterior of a clustering of coins of two kinds into two clusters: first coins
// fell heads in each of that many tosses, and second coins tails in each. A cluster has a
// probability of heads for each toss, with the prior Beta(alpha, alpha), which is integrated out. A
// class is how many coins of each kind are in the second cluster.
//
// Source: the collapsed mixture of Bernoullis, as Neal 2000, Algorithm 3, without the prior of the
// clusters.
func coins(first, second, tosses int, alpha float64) (*Toy, error) {
	if !(alpha > 0) || math.IsInf(alpha, 1) {
		return nil, errs.New("alpha %v; it must be finite and above 0", alpha)
	}
	space, err := quotients.NewCounts(first, second)
	if err != nil {
		return nil, err
	}
	single := logRising(alpha, max(first, second))
	double := logRising(2*alpha, first+second)
	cluster := func(heads, tails int) float64 { return single[heads] + single[tails] - double[heads+tails] }
	name := fmt.Sprintf("coins:%d:%d:%d:%v", first, second, tosses, alpha)
	about := fmt.Sprintf(
		"%d coins that fell heads and %d that fell tails in %d tosses, in two clusters, in each of which "+
			"every toss has its own probability of heads with the prior Beta(%v, %v)",
		first,
		second,
		tosses,
		alpha,
		alpha,
	)
	return onClasses(name, about, space, func(x int) float64 {
		in := space.CountsOf(x)
		return float64(tosses) * (cluster(in[0], in[1]) + cluster(first-in[0], second-in[1]))
	})
}

// logRising returns the logarithms of a (a+1) ... (a+i-1) for i = 0..n.
func logRising(a float64, n int) []float64 {
	list := make([]float64, n+1)
	var sum number.Sum
	for i := range n {
		sum.Add(number.Log(a + float64(i)))
		list[i+1] = sum.Value()
	}
	return list
}

func coinsForm() toyForm {
	return termsForm(toyForm{
		Syntax: "coins:N1:N2:BITS:ALPHA",
		Doc: "two clusters of N1 and N2 alike coins of BITS throws, prior Beta(ALPHA, ALPHA), by how " +
			"many of each are in the second",
		Source:  "Neal 2000",
		Example: "coins:6:6:3:0.5",
		Missing: "the numbers of coins and tosses, and alpha",
	}, "N1:N2:BITS:ALPHA", 3, 1,
		0, func(a terms) (*Toy, error) { return coins(a.wholes[0], a.wholes[1], a.wholes[2], a.numbers[0]) })
}

// cyclesOf returns the distribution on the permutations of n items with f = theta^cycles
// lambda^(fixed points), by the lengths of the cycles.
//
// Source: Ewens 1972 for lambda = 1.
func cyclesOf(n int, theta, lambda float64) (*Toy, error) {
	for _, v := range []float64{theta, lambda} {
		if !(v > 0) || math.IsInf(v, 1) {
			return nil, errs.New("theta %v and lambda %v; they must be finite and above 0", theta, lambda)
		}
	}
	space, err := quotients.NewCycles(n)
	if err != nil {
		return nil, err
	}
	about := fmt.Sprintf("permutations of %d items, f = %v^cycles %v^(fixed points)", n, theta, lambda)
	t, err := onClasses(fmt.Sprintf("cycles:%d:%v:%v", n, theta, lambda), about, space, func(x int) float64 {
		lengths := space.LengthsOf(x)
		fixed := 0
		for _, length := range lengths {
			if length == 1 {
				fixed++
			}
		}
		return float64(float64(len(lengths))*number.Log(theta)) + float64(float64(fixed)*number.Log(lambda))
	})
	return t, err
}

func cyclesForm() toyForm {
	return termsForm(toyForm{
		Syntax: "cycles:N:THETA:LAMBDA",
		Doc: "permutations of N items by the lengths of their cycles, f = THETA^cycles LAMBDA^(fixed " +
			"points); for metropolis and barker",
		Source: "Ewens 1972", Example: "cycles:5:2:3", Missing: "the number of items, theta and lambda",
	}, "N:THETA:LAMBDA", 1, 2, 0,
		func(a terms) (*Toy, error) { return cyclesOf(a.wholes[0], a.numbers[0], a.numbers[1]) })
}

// pottsComplete returns the Potts model of n axes of q values that all act on one another: g = K/n
// times the number of pairs of axes with the same value, plus the field times the number of axes
// that have the first value. Its classes are the counts of the values. For large n and without a
// field the transition is of first order for q >= 3, at K = 2 (q-1)/(q-2) ln(q-1).
//
// Source: Wu 1982; Costeniuc, Ellis and Touchette 2005.
func pottsComplete(q, n int, k, field float64) (*Toy, error) {
	k += 0
	field += 0
	name := fmt.Sprintf("potts-complete:%d:%d:%v", q, n, k)
	about := fmt.Sprintf("Potts model of %d axes of %d values on the complete graph, K = %v", n, q, k)
	if field != 0 {
		name += fmt.Sprintf(":%v", field)
		about += fmt.Sprintf(", field %v on the first value", field)
	}
	space, err := quotients.NewCompositions(q, n)
	if err != nil {
		return nil, err
	}
	return onClasses(name, about, space, func(x int) float64 {
		counts := space.CountsOf(x)
		return float64(k*equalPairs(counts)/float64(n)) + float64(field*float64(counts[0]))
	})
}

// pottsColours is PottsComplete without a field, by its counts whatever the names of the values
// are.
func pottsColours(q, n int, k float64) (*Toy, error) {
	k += 0
	space, err := quotients.NewPartitions(q, n)
	if err != nil {
		return nil, err
	}
	name := fmt.Sprintf("potts-colours:%d:%d:%v", q, n, k)
	about := fmt.Sprintf(
		"Potts model of %d axes of %d values on the complete graph up to the names of the values, K = %v",
		n,
		q,
		k,
	)
	return onClasses(
		name,
		about,
		space,
		func(x int) float64 { return float64(k * equalPairs(space.CountsOf(x)) / float64(n)) },
	)
}

// equalPairs returns the number of pairs of axes that have the same value, a whole number.
func equalPairs(counts []int) float64 {
	twice := 0
	for _, n := range counts {
		twice += n * (n - 1)
	}
	return float64(twice / 2)
}

func pottsCompleteForm() toyForm {
	return termsForm(toyForm{
		Syntax: "potts-complete:Q:N:K[:FIELD]",
		Doc: "N axes of Q values that all interact, by their counts: g = K/N for each equal pair + " +
			"FIELD for each first value",
		Source: "Wu 1982", Example: "potts-complete:3:12:3", Missing: "the numbers of values and axes, and K",
	}, "Q:N:K or Q:N:K:FIELD", 2, 1, 1, func(a terms) (*Toy, error) {
		return pottsComplete(a.wholes[0], a.wholes[1], a.numbers[0], a.numbers[1])
	})
}

func pottsColoursForm() toyForm {
	return termsForm(toyForm{
		Syntax:  "potts-colours:Q:N:K",
		Doc:     "potts-complete up to the names of the values; for kernels flip and heatbath",
		Source:  "Wu 1982",
		Example: "potts-colours:3:12:3",
		Missing: "the numbers of values and axes, and K",
	}, "Q:N:K", 2, 1, 0,
		func(a terms) (*Toy, error) { return pottsColours(a.wholes[0], a.wholes[1], a.numbers[0]) })
}
