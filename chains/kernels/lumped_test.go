package kernels_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/frames"
	"breadboard/chains/kernels"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/grid/quotients"
)

// lumping is a quotient with the larger space that it is of.
type lumping struct {
	quotients.Quotient
	full    grid.Graph
	classOf func(x int) int
}

// lumpings returns quotients of every form whose larger spaces are small.
func lumpings() (list []lumping) {
	for _, kinds := range [][]int{{1}, {4}, {2, 3}, {1, 1, 2}} {
		axes := 0
		for _, n := range kinds {
			axes += n
		}
		full := cube(2, axes)
		list = append(list, lumping{longtest.Sure(quotients.NewCounts(kinds...)), full, func(x int) int {
			class := 0
			axis := 0
			for _, n := range kinds {
				ones := 0
				for range n {
					ones += full.Coord(x, axis)
					axis++
				}
				class = class*(n+1) + ones
			}
			return class
		}})
	}
	for _, shape := range [][2]int{{2, 3}, {3, 4}, {4, 3}} {
		full := cube(shape[0], shape[1])
		q := longtest.Sure(quotients.NewCompositions(shape[0], shape[1]))
		colours := longtest.Sure(quotients.NewPartitions(shape[0], shape[1]))
		list = append(list, lumping{q, full, func(x int) int { return q.Index(valueCounts(full, x)) }})
		list = append(list, lumping{colours, full, func(x int) int {
			counts := valueCounts(full, x)
			slices.Sort(counts)
			slices.Reverse(counts)
			return slices.IndexFunc(slices.Collect(states(colours)),
				func(c int) bool { return slices.Equal(colours.CountsOf(c), counts) })
		}})
	}
	for _, n := range []int{2, 4, 5} {
		q := longtest.Sure(quotients.NewCycles(n))
		full := transpositions(permutationsOf(n))
		list = append(list, lumping{q, full, func(x int) int {
			lengths := cycleLengths(full[x])
			return slices.IndexFunc(
				slices.Collect(states(q)),
				func(c int) bool { return slices.Equal(q.LengthsOf(c), lengths) },
			)
		}})
	}
	return list
}

func states(g grid.Graph) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for x := 0; x < g.States() && yield(x); x++ {
		}
	}
}

// cube returns the lattice of that many axes of the same side.
func cube(side, axes int) *grid.Lattice { return grid.MustNew(slices.Repeat([]int{side}, axes)...) }

// valueCounts returns how many axes have each value.
func valueCounts(l *grid.Lattice, x int) []int {
	counts := make([]int, l.Side(0))
	for axis := range l.Dims() {
		counts[l.Coord(x, axis)]++
	}
	return counts
}

// transpositions are permutations, joined if one is the other after any two items have been
// exchanged.
type transpositions [][]int

func permutationsOf(n int) (list [][]int) {
	if n == 0 {
		return [][]int{{}}
	}
	for _, shorter := range permutationsOf(n - 1) {
		for i := range n {
			list = append(list, slices.Insert(slices.Clone(shorter), i, n-1))
		}
	}
	return list
}

func (g transpositions) States() int    { return len(g) }
func (g transpositions) String() string { return "transpositions" }
func (g transpositions) Directions() int {
	n := len(g[0])
	return n * (n - 1) / 2
}
func (g transpositions) Label(x int) string { return fmt.Sprint(g[x]) }
func (g transpositions) Neighbour(x, d int) (int, bool) {
	y := slices.Clone(g[x])
	for i := range y {
		for j := range i {
			if d == 0 {
				y[i], y[j] = y[j], y[i]
			}
			d--
		}
	}
	return slices.IndexFunc(g, func(z []int) bool { return slices.Equal(y, z) }), true
}

// cycleLengths returns the lengths of the cycles of a permutation in decreasing order.
func cycleLengths(p []int) (lengths []int) {
	seen := make([]bool, len(p))
	for i := range p {
		length := 0
		for j := i; !seen[j]; j = p[j] {
			seen[j] = true
			length++
		}
		if length > 0 {
			lengths = append(lengths, length)
		}
	}
	slices.Sort(lengths)
	slices.Reverse(lengths)
	return lengths
}

// lumpedKernels are selectors on quotients, some of which a quotient refuses.
func lumpedKernels() []string {
	return []string{
		"metropolis", "flip", "barker", "heatbath", "stay", "lazy:0.25:flip", "lazy:0.5", "repeat:3:heatbath",
		"repeat:2:lazy:0.1:flip",
		"palindrome:flip+heatbath", "palindrome:metropolis+barker", "mixture:1*flip+3*heatbath",
		"lazy:0.5:palindrome:barker+metropolis",
	}
}

// TestLumpedIsTheLargerKernel: from any member of a class the kernel of the larger space comes to
// each class with the probability that the row of the class says, and so does its Move; the frame
// has the same rows, and numbers of members are those that are counted.
func TestLumpedIsTheLargerKernel(t *testing.T) {
	all := lumpings()
	rapid.Check(t, func(t *rapid.T) {
		q := rapid.SampledFrom(all).Draw(t, "quotient")
		k, err := kernels.Parse(rapid.SampledFrom(lumpedKernels()).Draw(t, "kernel"), q.Quotient)
		if err != nil {
			t.Skip(err)
		}
		logf := drawLogF(t, q.States())
		checkLumped(t, q, k, logf)
		if _, has := frames.Entries(k, q.States(), math.Inf(1)); has {
			sameRows(t, k, longtest.Must(frames.New(k, q.States(), nil))(t), logf, &frames.Values{})
		}
	})
}

// checkLumped compares a kernel on a quotient with the kernel of the same selector on the larger
// space, for log f of the members of each class.
func checkLumped(t longtest.Failer, q lumping, k chains.Kernel, logf []float64) {
	larger := longtest.Must(kernels.Parse(chains.NameOf(k), q.full))(t).(chains.Rower)
	members := slices.Clone(logf)
	of := make([]float64, q.full.States())
	for c, m := range q.LogMembers() {
		members[c] += m
	}
	counted := make([]int64, q.States())
	for x := range of {
		of[x] = logf[q.classOf(x)]
		counted[q.classOf(x)]++
	}
	for c, n := range counted {
		if q.Members(c).Int64() != n {
			t.Fatal(fmt.Sprintf("%v: class %s has %d members, not %v", q, q.Label(c), n, q.Members(c)))
		}
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range logf {
		if !math.IsInf(v, -1) {
			low, high = min(low, v), max(high, v)
		}
	}
	for x := range of {
		want := make([]float64, q.States())
		got := make([]float64, q.States())
		for _, e := range larger.AppendRow(nil, of, x) {
			want[q.classOf(e.To)] += e.P
		}
		for _, e := range k.(chains.Rower).AppendRow(nil, members, q.classOf(x)) {
			got[e.To] += e.P
		}
		for c := range want {
			if math.Abs(got[c]-want[c]) > 1e-14*(1+max(0, high-low)) {
				t.Fatal(fmt.Sprintf("%v, %v: from %s to class %s with %v, and from the class with %v", q,
					k, q.full.Label(x), q.Label(c), want[c], got[c]))
			}
		}
	}
}

// TestQuotientsRefuse: kernels that do not treat all axes alike, or that a quotient does not lump
// under, are refused by name, with what there is.
func TestQuotientsRefuse(t *testing.T) {
	counts := longtest.Must(quotients.NewCounts(5))(t)
	colours := longtest.Must(quotients.NewPartitions(3, 5))(t)
	cycles := longtest.Must(quotients.NewCycles(5))(t)
	for _, form := range kernels.Forms().Listing.All() {
		_, err := kernels.Parse(form.Example, counts)
		switch form.Name() {
		case "metropolis", "flip", "barker", "heatbath", "stay", "lazy", "repeat", "palindrome", "mixture":
			if err != nil {
				t.Errorf("%s: %v", form.Example, err)
			}
		default:
			longtest.Refused(t, err,
				"counts:5 has classes of states, on which there are metropolis, flip, barker and "+
					"heatbath, and lazy, repeat, palindrome and mixture of these")
		}
	}
	for selector, q := range map[string]quotients.Quotient{
		"metropolis": colours, "flip": cycles, "lazy:0.5": colours} {
		longtest.Refuses(kernels.Parse(selector, q))(t, "take ")
	}
}
