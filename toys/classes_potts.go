package toys

import (
	"fmt"
	"strings"

	"breadboard/chains/selector"
	"breadboard/grid/quotients"
)

// PottsComplete returns the Potts model of n axes of q values that all act on one another: g = K/n times the number of pairs of axes with the
// same value, plus the field times the number of axes that have the first value. Its classes are the counts of the values. For large n
// and without a field the transition is of first order for q >= 3, at K = 2 (q-1)/(q-2) ln(q-1).
//
// Source: Wu 1982; Costeniuc, Ellis and Touchette 2005.
func PottsComplete(q, n int, k, field float64) (*Toy, error) {
	k, field = k+0, field+0
	name, about := fmt.Sprintf("potts-complete:%d:%d:%v", q, n, k), fmt.Sprintf("Potts model of %d axes of %d values on the complete graph, K = %v", n, q, k)
	if field != 0 {
		name += fmt.Sprintf(":%v", field)
		about += fmt.Sprintf(", field %v on the first value", field)
	}
	space, err := quotients.NewCompositions(q, n)
	if err != nil {
		return nil, err
	}
	t, err := onClasses(name, about, space, func(x int) float64 {
		counts := space.Of(x)
		return float64(k*equalPairs(counts)/float64(n)) + float64(field*float64(counts[0]))
	})
	return ofFamily(t, err, "potts-complete", q, n)
}

// PottsColours is PottsComplete without a field, by its counts whatever the names of the values are.
func PottsColours(q, n int, k float64) (*Toy, error) {
	k += 0
	space, err := quotients.NewPartitions(q, n)
	if err != nil {
		return nil, err
	}
	name, about := fmt.Sprintf("potts-colours:%d:%d:%v", q, n, k), fmt.Sprintf("Potts model of %d axes of %d values on the complete graph up to the names of the values, K = %v", n, q, k)
	t, err := onClasses(name, about, space, func(x int) float64 { return float64(k * equalPairs(space.Of(x)) / float64(n)) })
	return ofFamily(t, err, "potts-colours", q, n)
}

// ofFamily returns a toy of so many values and axes as one of its family.
func ofFamily(t *Toy, err error, name string, q, n int) (*Toy, error) {
	if err != nil {
		return nil, err
	}
	t.Family, t.Size = strings.Replace(t.Name, fmt.Sprintf("%s:%d:%d", name, q, n), fmt.Sprintf("%s:%d:N", name, q), 1), n
	return t, nil
}

// equalPairs returns the number of pairs of axes that have the same value, a whole number.
func equalPairs(counts []int) float64 {
	twice := 0
	for _, n := range counts {
		twice += n * (n - 1)
	}
	return float64(twice / 2)
}

// pottsCompleteForm is how PottsComplete is selected.
func pottsCompleteForm() toyForm {
	return toyForm{
		Syntax: "potts-complete:Q:N:K[:FIELD]", Doc: "N axes of Q values that all act on one another, by the counts of the values: g = K/N a pair of equal ones + FIELD for each of the first value",
		Source: "Wu 1982", Example: "potts-complete:3:12:3", Missing: "the numbers of values and axes, and K",
		Parse: func(args selector.Args, _ selector.Nothing) (*Toy, error) {
			a, err := readTerms(args, "Q:N:K or Q:N:K:FIELD, as in potts-complete:3:12:3", 2, 1, 1)
			if err != nil {
				return nil, err
			}
			t, err := PottsComplete(a.wholes[0], a.wholes[1], a.numbers[0], a.numbers[1])
			return t, args.Wrap(err)
		},
	}
}

// pottsColoursForm is how PottsColours is selected.
func pottsColoursForm() toyForm {
	return toyForm{
		Syntax: "potts-colours:Q:N:K", Doc: "the same without a field, up to the names of the values; for kernels flip and heatbath",
		Source: "Wu 1982", Example: "potts-colours:3:12:3", Missing: "the numbers of values and axes, and K",
		Parse: func(args selector.Args, _ selector.Nothing) (*Toy, error) {
			a, err := readTerms(args, "Q:N:K, as in potts-colours:3:12:3", 2, 1, 0)
			if err != nil {
				return nil, err
			}
			t, err := PottsColours(a.wholes[0], a.wholes[1], a.numbers[0])
			return t, args.Wrap(err)
		},
	}
}
