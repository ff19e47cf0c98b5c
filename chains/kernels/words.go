package kernels

import (
	"fmt"
	"slices"
	"strings"

	"breadboard/chains"
)

// Words describes one move of a kernel of the library from a state x, as instructions in Markdown
// for an implementation in another language. It returns "" for any other kernel, of which only the
// matrix is known.
func Words(k chains.Kernel) string {
	if !chains.OfLibrary(k) {
		return ""
	}
	return instruction(k, "")
}

const (
	neighbourProposal = "Draw one of the D directions with probability 1/D each (on a grid of d axes D = " +
		"2d: down and up each axis). If the direction leads nowhere, as into a wall of a grid, stay at x: " +
		"that is a rejected proposal, and no other direction is drawn. Else the proposal y is the " +
		"neighbour in that direction."
	metropolisAnswer = "Accept y with probability min(1, f_t(y)/f_t(x)), which is exp(min(0, log f_t(y) " +
		"- log f_t(x))), and else stay at x. A proposal with f_t(y) = 0 is never accepted."
)

const (
	clusterBonds = "Read the couplings off log f_t at the states in which at most two coordinates are 1 " +
		"and all others 0: K of sites i and j is half of log f_t(0,0) - log f_t(1,0) - log f_t(0,1) + log " +
		"f_t(1,1), and, of two values, the field of site i is log f_t(1) - log f_t(0) plus the sum of its " +
		"K, which couples it to a ghost site of value 0 with K = minus the field. Of more than two " +
		"values, a negative K counts as 0, and there is no ghost. Two sites agree where K > 0 and their " +
		"values are equal, or K < 0 and they differ. Bind each pair that agrees with probability 1 - exp(-|K|)."
	clusterRest = "Let r be log f_t less the sum of |K| over all pairs that agree; it is the same for " +
		"all states of a model of spins. Accept the state y so proposed with probability min(1, exp(r(y) " +
		"- r(x))), and else stay at x."
)

// instruction returns the description of a kernel of the library. Parts of a combination stand in a
// list, each line of which begins with the given indentation.
func instruction(k chains.Kernel, indent string) string {
	switch k := k.(type) {
	case Metropolis:
		return neighbourProposal + " " + metropolisAnswer
	case Barker:
		return neighbourProposal +
			" Accept y with probability f_t(y)/(f_t(x) + f_t(y)), and else stay at x. A proposal with " +
			"f_t(y) = 0 is never accepted."
	case Moore:
		return fmt.Sprintf(
			"Draw one of the %d points around x, diagonal ones included (each coordinate changes by -1, 0 "+
				"or 1, not all by 0), with equal probability. If it is outside of the grid, stay at x. "+
				"Else it is the proposal y. %s",
			k.proposals(),
			metropolisAnswer,
		)
	case Flip:
		return fmt.Sprintf(
			"Draw one of the %d axes of the grid with equal probability, and then one of the values that "+
				"coordinate can have, other than the one it has, with equal probability: the proposal y "+
				"is x with that coordinate so changed. If the axis has one value only, stay at x: that is "+
				"a rejected proposal, and no other axis is drawn. %s",
			k.Space.Dims(),
			metropolisAnswer,
		)
	case Jump:
		return fmt.Sprintf(
			"With probability %v the proposal y is any of the n states, x included, with probability 1/n "+
				"each. Else: %s %s",
			k.Eps,
			neighbourProposal,
			metropolisAnswer,
		)
	case Independence:
		if slices.Min(k.P) == slices.Max(k.P) {
			return "The proposal y is any of the n states, x included, with probability 1/n each. " +
				metropolisAnswer
		}
		return "Draw the proposal y from the fixed distribution P, whatever x is. Accept y with " +
			"probability min(1, f_t(y) P(x) / (f_t(x) P(y))), and else stay at x."
	case Exact:
		return "Take any of the n states y, x included, with probability f_t(y) / (sum of f_t over all states)."
	case HeatBathAxis:
		return fmt.Sprintf("Draw coordinate %d (counted from 0) afresh given the others: of the states y of the line "+
			"through x along that axis, x included, take y with probability f_t(y) / (sum of f_t over "+
			"the line). If f_t is zero on the whole line, stay at x.",
			k.Axis)
	case HeatBathBlock:
		return fmt.Sprintf(
			"The coordinates, numbered from 0, stand on a plane row by row. Draw those of the block of %d "+
				"rows and %d columns that begins at row %d and column %d afresh given the others: of all "+
				"states y that differ from x in these coordinates alone, x included, take y with "+
				"probability f_t(y) / (sum of f_t over them). If f_t is zero on all of them, stay at x.",
			k.Height,
			k.Width,
			k.Row,
			k.Column,
		)
	case SuwaTodoAxis:
		return suwaTodoWords(k)
	case SwendsenWang:
		return clusterBonds +
			" Each site is in the cluster of all sites that bonds join it to. Each cluster takes a new " +
			"value: all of its values are raised by the same number, around the end, which is drawn " +
			"uniformly from 0 up to the number of values less one, so that a cluster of spins of two " +
			"values turns over with probability 1/2. The cluster of the ghost stays. " +
			clusterRest
	case Wolff:
		return clusterBonds +
			" Draw a site uniformly, and find its cluster, the sites that bonds join it to. Raise the " +
			"values of all of its sites by the same number, around the end, drawn uniformly from 1 up to " +
			"the number of values less one. If the cluster holds the ghost, turn all sites outside of it " +
			"over instead. " +
			clusterRest
	case Informed:
		if k.Rule == "slope" {
			return gradientWords
		}
		return balancedWords(k)
	case Tabu:
		return tabuWords(k)
	case DelayedRejection:
		return delayedWords
	case Stay:
		return "Stay at x."
	}
	if parts, combined := chains.PartsOf(k); combined {
		return combinationWords(parts, indent)
	}
	return "This kernel is known by its matrix."
}

func suwaTodoWords(k SuwaTodoAxis) string {
	turned := ""
	if k.Backward {
		turned = " Then turn all flows round: v(j -> i) takes the place of v(i -> j)."
	}
	return fmt.Sprintf("Move coordinate %d (counted from 0) with as few rejections as can be (Suwa and Todo 2010). "+
		"Number the states of the line through x along that axis in the order in which they stand, "+
		"beginning with the one of largest f_t (the first of them) and going around the end of the "+
		"line. Each has a weight w_i = f_t(i) and a box of the same size. Pour the weights, in that "+
		"order, into the boxes, beginning with box 1 and ending with box 0 (box 0 being that of the "+
		"largest): the amount that goes from weight i into box j is the flow v(i -> j).%s From x = i "+
		"go to j with probability v(i -> j)/w_i. If f_t is zero on the whole line, stay at x; if it "+
		"is zero at x alone, draw from the line in proportion to f_t.",
		k.Axis, turned)
}

// weightWords describes the weight of a proposal by a balancing function.
func weightWords(rule string) string {
	weight := map[string]string{"sqrt": "sqrt(f_t(y)/f_t(x))", "barker": "f_t(y)/(f_t(x) + f_t(y))",
		"min": "min(1, f_t(y)/f_t(x))"}[rule]
	limit := "1 for every y of positive f_t"
	if rule == "sqrt" {
		limit = "sqrt(f_t(y))"
	}
	return fmt.Sprintf("the weight %s (work with logarithms; if f_t(x) = 0 it is %s)", weight, limit)
}

func balancedWords(k Informed) string {
	among := "neighbours y of x, those in the directions that lead somewhere (two directions that lead to " +
		"the same y both count)"
	if flips, is := k.Space.(OtherValues); is {
		among = fmt.Sprintf("states y that differ from x in one coordinate, by however much (%d of them)",
			flips.Directions())
	}
	return fmt.Sprintf(
		"Give each of the %s, %s. Propose y with probability weight/Z(x), where Z(x) is the sum of these "+
			"weights; if that is 0, stay at x. Compute Z(y) in the same way from y. Accept y with "+
			"probability min(1, Z(x)/Z(y)), and else stay at x; if f_t(x) = 0, always accept.",
		among,
		weightWords(k.Rule),
	)
}

const gradientWords = "At x find the slope of log f_t along each axis: half of the difference of log f_t " +
	"between the neighbours above and below; if one of the two is outside of the grid or has f_t = 0, the " +
	"difference between x and the other one; if both are, 0. Give each neighbour y of x with f_t(y) > 0 " +
	"the weight exp(d/2), where d is the slope along its axis if y is above x, and minus that slope if it " +
	"is below (where f_t(x) = 0 the weight sqrt(f_t(y))). Propose y with probability q(y|x) = " +
	"weight/Z(x), where Z(x) is the sum of these weights; if there is no such y, stay at x. Find q(x|y) " +
	"in the same way from y. Accept y with probability min(1, f_t(y) q(x|y) / (f_t(x) q(y|x))), and else " +
	"stay at x; if f_t(x) = 0, always accept."

func tabuWords(k Tabu) string {
	return fmt.Sprintf(
		"Draw a set A of the %d axes: each is in it with probability 1/2. Then make %d steps. Step: give "+
			"each state y that differs from x in the coordinate of one axis of A, by however much, %s. "+
			"Let Z_A(x) be the sum of these weights. If it is 0, replace A by its complement: the step is "+
			"over. Else propose y with probability weight/Z_A(x). Let B be the complement of A together "+
			"with the axis in which y differs, and Z_B(y) the same sum at y over the axes of B. With "+
			"probability min(1, Z_A(x)/Z_B(y)) (always where f_t(x) = 0) go to y and take that axis out "+
			"of A; else stay at x and replace A by its complement. After the last step forget A.",
		k.Space.Dims(),
		k.Steps,
		weightWords(k.Rule),
	)
}

const delayedWords = neighbourProposal +
	" Accept y with probability min(1, f_t(y)/f_t(x)). If it is refused, draw one of the D directions " +
	"from y with probability 1/D each. If that leads nowhere, stay at x. Else z is the neighbour of y in " +
	"that direction: go to z with probability min(1, max(0, f_t(z) - f_t(y)) / (f_t(x) - f_t(y))) (1 if " +
	"f_t(x) = 0 and f_t(z) > 0), and else stay at x."

// combinationWords returns the description of a kernel that is made of others.
func combinationWords(parts chains.Parts, indent string) string {
	var b strings.Builder
	item := func(label string, k chains.Kernel) {
		fmt.Fprintf(&b, "\n%s- %s: %s", indent, label, instruction(k, indent+"  "))
	}
	if !parts.Sequential {
		b.WriteString("Draw one of these kernels, with the probability in front of it, and make one move by it:")
		for i, k := range parts.Kernels {
			item(fmt.Sprintf("probability %v, `%v`", parts.Weights[i], k), k)
		}
		return b.String()
	}
	b.WriteString("Make these moves one after another, each from the state to which the one before has led, all of " +
		"them under the same f_t:")
	said := map[int]bool{}
	for i, part := range parts.Order {
		label := fmt.Sprintf("%d. `%v`", i+1, parts.Kernels[part])
		if said[part] {
			fmt.Fprintf(&b, "\n%s- %s once more", indent, label)
			continue
		}
		said[part] = true
		item(label, parts.Kernels[part])
	}
	if parts.Times > 1 {
		fmt.Fprintf(&b, "\n%s- and so on, until they have been made %d times.", indent, parts.Times)
	}
	return b.String()
}

// Reversible reports whether a kernel of the library is its own time reversal by construction. A
// combination is reversible if all its parts are; a sequence must also be a palindrome. It returns
// false for any other kernel.
func Reversible(k chains.Kernel) bool {
	if !chains.OfLibrary(k) {
		return false
	}
	parts, combined := chains.PartsOf(k)
	if !combined {
		_, reverser := k.(chains.Reverser)
		return !reverser
	}
	for _, part := range parts.Kernels {
		if !Reversible(part) {
			return false
		}
	}
	turned := slices.Clone(parts.Order)
	slices.Reverse(turned)
	return slices.Equal(turned, parts.Order)
}
