package exact

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/frames"
	"breadboard/chains/kernels"
	"breadboard/chains/number"
	"breadboard/chains/work"
	"breadboard/exact/internal/lanes"
	"breadboard/exact/internal/operator"
	"breadboard/exact/internal/stage"
	"breadboard/grid"
)

// Options control how Solve works, and do not change its results. The zero value is the default.
type Options struct {
	// Progress is called now and then with the number of steps taken since the last call. The calls
	// add up to T - 1 for each sweep over t; steps that a second method repeats are not counted
	// twice. It may be nil.
	Progress func(steps int)
	// General makes Solve use the general method even if a specialised one applies, so that they
	// can be compared.
	General bool
	// Workers is the number of goroutines that may share one solve, the caller's among them. On a
	// space of many thousands of states the stencil uses as many as are useful. So does the method
	// applied from 65,536 states on, with at least 4096 states for each worker, if the kernel is
	// local or made of local ones. With any other kernel two of them move, one for each direction,
	// and all share only the work for each state before that. Otherwise one is used. Zero is one.
	// The results are the same to the last bit.
	Workers int
}

// MaxLogRange is the largest range of log f, in nats, that CheckRange accepts. Beyond it the
// rounding of log f itself is larger than the stated error.
const MaxLogRange = 10_000

// CheckRange returns an error if log f of the named distribution spans more than MaxLogRange.
func CheckRange(name string, logf []float64) error {
	if low, high := number.Bounds(logf); high-low > MaxLogRange {
		return errs.New(
			"log f of the %s spans %.6g nats; beyond %d its own rounding is too large: scale log f down, "+
				"raise its lowest values, or make them -inf",
			name,
			high-low,
			MaxLogRange,
		)
	}
	return nil
}

// ValidatePath applies CheckRange to both ends and to the kinks of a path.
func ValidatePath(path chains.Path) error {
	logf := work.Slice[float64](path.States())
	for _, beta := range append([]float64{0, 1}, path.Kinks()...) {
		name := fmt.Sprintf("distribution at beta %v", beta)
		switch beta {
		case 0:
			name = "initial distribution"
		case 1:
			name = "target"
		}
		path.LogF(logf, chains.At(beta))
		if err := CheckRange(name, logf); err != nil {
			return err
		}
	}
	return nil
}

// Validate applies ValidatePath, and CheckRange to the stages next to both ends, where a power mean
// near the geometric path may be far from its ends. Solve fails with the same error.
func Validate(a *chains.Annealing) error {
	if err := ValidatePath(a.Path()); err != nil {
		return err
	}
	logf := work.Slice[float64](a.States())
	for _, t := range []int{2, a.Distributions() - 1} {
		a.Path().LogF(logf, a.Place(t))
		if err := CheckRange(fmt.Sprintf("distribution at t = %d", t), logf); err != nil {
			return err
		}
	}
	return nil
}

// Solve returns the exact J and B of an annealing, and the other numbers of a Solution, by the
// first of its methods that applies (see the documentation of the package, also for the cost of a
// step). Time is proportional to T, and memory does not depend on it. Solve fails if Validate does,
// if the kernel is not valid (see package kernel and chains.Kernel), if the rows of the general
// method would take more than 4 GB, if the context ends, and if rounding moves the total mass of
// the output more than 1e-12 away from one.
func Solve(ctx context.Context, a *chains.Annealing, o Options) (*Solution, error) {
	if err := Validate(a); err != nil {
		return nil, err
	}
	p := stage.NewProblem(a, o.Progress)
	sol, err := solveProblem(ctx, p, o)
	if err != nil {
		return nil, err
	}
	p.Flush()
	sol.shift(p.Offset)
	return sol, nil
}

// Vectors names the instructions that Solve uses: "AVX-512" or "AVX2" on an amd64 processor that
// has them, else "portable", as in every program built with the tag noasm. The results are the same
// to the last bit with all of them.
func Vectors() string { return lanes.Widest().String() }

// solveProblem tries the specialised methods if they apply, and uses the general one if they cannot
// keep the digits.
func solveProblem(ctx context.Context, p *stage.Problem, o Options) (*Solution, error) {
	if !o.General {
		for _, special := range []func(context.Context, *stage.Problem, Options) (*Solution, bool, error){
			solveStencil, solveFar, solveApplied} {
			sol, ok, err := special(ctx, p, o)
			if ok || err != nil {
				return sol, err
			}
			p.Restart()
		}
	}
	return solveGeneral(ctx, p)
}

// Identity is one equation that must hold of a solution, with its two sides as computed.
type Identity struct {
	Name      string
	Got, Want float64 // the two sides
	Error     float64 // |Got - Want|, zero if both are the same infinity
	Tolerance float64 // the largest Error that rounding explains
	OK        bool    // whether Error is at most Tolerance
}

// NewIdentity compares two sides that must be equal to within a tolerance.
func NewIdentity(name string, got, want, tolerance float64) Identity {
	i := Identity{Name: name, Got: got, Want: want, Error: math.Abs(got - want), Tolerance: tolerance}
	if got == want { // also of infinities
		i.Error = 0
	}
	i.OK = i.Error <= i.Tolerance
	return i
}

// BaseTolerance is the part of IdentityTolerance that does not grow with T.
const BaseTolerance = 1e-12

// IdentityTolerance returns the allowed difference of the two sides of an identity of an annealing
// with T distributions, relative to one plus the size of the terms that are added up. It grows by
// half a unit in the last place with each stage, because the rounding of a kernel's rows may change
// the pushed mass in the same direction at every stage.
func IdentityTolerance(T int) float64 { return BaseTolerance + float64(T)*0x1p-53 }

// MeanTolerance returns the tolerance of the two given means of log w, in nats, for an annealing
// with T distributions.
func MeanTolerance(T int, forward, reverse float64) float64 {
	return IdentityTolerance(T) * (1 + number.Finite(forward) + number.Finite(reverse))
}

// Check computes a solution's numbers again by independent methods. These share with Solve only the
// kernel's rows and the distributions on the path. It pushes probabilities, not deviations, forward
// and backward. J comes from its definition, and B both from the expected log weights and from Eq.
// 23 of Grosse, Ancha and Roy (2016), the sum over consecutive pairs of states. It also checks log
// E_fwd[w] = log(Z_T/Z_1) if no path has an infinite weight, -log E_rev[1/w] = log(Z_T/Z_1) if no
// path has weight zero, J <= B and the total mass.
//
// It makes three sweeps, which take O(T entries) time with several logarithms for each entry, and
// O(sqrt(T) states) memory. It fails if Solve does or the context ends. A violated identity is not
// an error: see Identity.OK. Progress is as in Options, and may be nil.
func Check(ctx context.Context, a *chains.Annealing, sol *Solution,
	progress func(steps int)) ([]Identity, error) {
	p := stage.NewProblem(a, progress)
	m, err := pushBoth(ctx, p)
	if err != nil {
		return nil, err
	}
	p.Flush()
	// A constant in log f adds to the log weights but not to B. It widens only the tolerance of the
	// log weights.
	forward, reverse := m.meanForward.Value(), m.meanReverse.Value()
	scale := 1 + number.Finite(forward) + number.Finite(reverse)
	constant := math.Abs(p.Offset)
	relative := IdentityTolerance(a.Distributions())
	var out []Identity
	// lost is the error that the solution states for a number, which widens the tolerance.
	equal := func(name string, got, want, scale, lost float64) {
		out = append(out, NewIdentity(name, got, want, relative*scale+lost))
	}
	// twice the stated error for each of the two methods
	logw := 4 * sol.ErrorLogW
	b := 4 * sol.ErrorB
	if !math.IsInf(sol.MeanLogWReverse, 0) { // else the reverse chain takes paths that are not in E_fwd[w]
		equal("log E_fwd[w] = log(Z_T/Z_1)", m.tiltForward.Log()+p.Offset, sol.LogZRatio, scale+constant, logw)
	}
	if !math.IsInf(sol.MeanLogWForward, 0) { // else the forward chain takes paths that are not in E_rev[1/w]
		equal("-log E_rev[1/w] = log(Z_T/Z_1)", -m.tiltReverse.Log()+p.Offset, sol.LogZRatio,
			scale+constant, logw)
	}
	equal("E_fwd[log w], pushed", forward+p.Offset, sol.MeanLogWForward, scale+constant, logw)
	equal("E_rev[log w], pushed", reverse+p.Offset, sol.MeanLogWReverse, scale+constant, logw)
	equal("B = E_rev[log w] - E_fwd[log w], pushed", reverse-forward, sol.B, scale, b)
	equal("B by Eq. 23", m.pairsForward.Value()+m.pairsReverse.Value(), sol.B, scale, b)
	equal("J by definition", m.j, sol.J, 1+number.Finite(m.j), 0)
	equal("J <= B", math.Min(sol.J, sol.B), sol.J, 1+number.Finite(sol.J), b)
	equal("total mass, forward", m.massForward, 1, 1, 0)
	equal("total mass, reverse", m.massReverse, 1, 1, 0)
	return out, nil
}

// maxReversals is the memory, in bytes, that WithReversal takes at most for the entries of all
// stages. The memory of a stage is counted before it is allocated.
const maxReversals = 2e9

// WithReversal returns an annealing whose reverse chains move by the time reversal of every stage's
// kernel. A kernel of the library knows its time reversal, and an annealing with such a kernel is
// returned unchanged. For any other kernel the reversal is made from the rows of each stage and
// kept as a table, unless the rows are their own reversal. A table takes 16 bytes for each entry
// that is not zero and 4 bytes for each state. WithReversal fails like Solve if a kernel is not
// valid, and if the entries of all tables together, including zeros, would take more than 2 GB.
func WithReversal(ctx context.Context, a *chains.Annealing) (*chains.Annealing, error) {
	return withReversalWithin(ctx, a, maxReversals)
}

// withReversalWithin is WithReversal with a limit, in bytes, on the memory of the entries of all
// tables.
func withReversalWithin(ctx context.Context, a *chains.Annealing, limit float64) (*chains.Annealing, error) {
	if a.Kernel() != nil && chains.OfLibrary(a.Kernel()) {
		return a, nil
	}
	p := stage.NewProblem(a, nil)
	s := stage.NewStage(p.Annealing)
	var reversals []chains.Kernel
	bytes := 0.0
	for t := 2; t <= a.Distributions(); t++ {
		if err := p.Step(ctx); err != nil {
			return nil, err
		}
		if err := s.Load(ctx, t); err != nil {
			return nil, err
		}
		k := s.Kernel
		switch {
		case !s.Outside:
			k, _ = chains.ReversalOf(k)
		case s.Moves[0].Reversed():
			bytes += 16 * float64(len(s.Moves[0].Backward.Entries))
			if bytes > limit {
				return nil, s.Wrap(errs.New(
					"kernel %s: the tables of its time reversal would take more than %.2g GB for all "+
						"stages; give fewer distributions",
					chains.NameOf(k),
					limit/1e9,
				))
			}
			k = chains.NewTabulated(chains.NameOf(k)+" reversed", a.States(), s.Moves[0].Backward.Row)
		}
		reversals = append(reversals, k)
	}
	p.Flush()
	return a.WithReversals(reversals)
}

// Work is the estimated cost of a solution, on one core of the machine on which the README's times
// were measured, without vector instructions. It is the same on every machine.
type Work struct {
	Method  Method
	Start   float64 // the seconds before the first step
	Seconds float64 // of a step
	Bytes   float64 // in all, however many steps there are
}

// Measured: nanoseconds of a step of the stencil, by slot and by slot and edge of a state; and
// bytes by slot.
const (
	slotNanos     = 2.4
	slotEdgeNanos = 1.6
	slotBytes     = 155
)

// Measured: nanoseconds of the method that applies kernels, by state, and by the elements that
// operators process (see operator.Pass); those of finding an edge, once; and bytes by state, by
// array of an operator and by edge.
const (
	stateNanos   = 10
	edgeNanos    = 1.2
	lineNanos    = 1.2
	flowNanos    = 14
	sortedNanos  = 8
	copyNanos    = 0.7
	findNanos    = 40
	stateBytes   = 160
	arrayBytes   = 8
	edgeBytes    = 16
	averageTimes = 2 // in a step, for either direction one
)

// Measured: nanoseconds of the general method by state, and by entry of the rows of each move; of
// making rows that are products, by product and by entry of the rows of parts; those of an entry
// when rows are found and checked, which is once if they have a frame; and bytes by state and by
// entry, and how many times as many if rows are not counted before.
const (
	generalStateNanos = 150
	entryNanos        = 10
	productNanos      = 1.6
	partNanos         = 20
	firstNanos        = 150
	generalStateBytes = 300
	entryBytes        = 40
	rowsGrow          = 2.5
	tabuTimes         = 3.3 // products that tabu states take longer here than in simulations
)

// WorkOf estimates the cost of Solve with a kernel on a space by the method that Solve tries first,
// on a path without zeros. A step of the stencil is that of the geometric path; another path takes
// some 60 ns more for each state. It makes no large arrays, and takes some milliseconds at most, or
// the time of one row if that is a product of many.
func WorkOf(k chains.Kernel, space grid.Graph, target []float64) Work {
	if b, ok := boxOf(k); ok {
		l := b.layout()
		slots := float64(l.rows * l.pitch)
		return Work{MethodStencil, 0, slots * (slotNanos + slotEdgeNanos*float64(b.edges())) * 1e-9,
			slotBytes * slots}
	}
	n := float64(space.States())
	if w, has := operator.WorkOf(k, space.States()); has {
		nanos := stateNanos*n + passNanos(w.Load) + averageTimes*passNanos(w.Average)
		return Work{MethodApplied, findNanos * w.Kept * 1e-9, nanos * 1e-9,
			(stateBytes+arrayBytes*w.Arrays)*n + edgeBytes*w.Kept}
	}
	return GeneralWorkOf(k, space, target)
}

// passNanos returns the nanoseconds of a pass over a function.
func passNanos(p operator.Pass) float64 {
	return edgeNanos*p.Edges + lineNanos*p.Lines + flowNanos*p.Flows + sortedNanos*p.Sorted +
		copyNanos*p.Copies
}

// mostCounted is the number of entries above which rows are extrapolated.
const mostCounted = 1e5

// mostEvaluated is the number of states above which no log f is made for an estimate.
const mostEvaluated = 1 << 24

// GeneralWorkOf estimates the cost of the general method, on any path. Rows of a kernel without a
// frame are assumed to be like one in the middle of the space; those of a kernel without rows in
// closed form, or on very many states, are assumed to lead to the neighbours of a state. Rows of
// wolff depend on the target, which may be nil if it is not known.
func GeneralWorkOf(k chains.Kernel, space grid.Graph, target []float64) Work {
	states := space.States()
	n := float64(states)
	work := func(kept, applied, nanos float64) Work {
		return Work{MethodGeneral, firstNanos * kept * 1e-9,
			(generalStateNanos*n + entryNanos*applied + nanos) * 1e-9, generalStateBytes*n + entryBytes*kept}
	}
	if p, apart := stage.PartsOf(k, states, mostCounted); apart {
		return work(p.Kept, p.Applied, productNanos*n*p.Products)
	}
	reversal := 1.0 // how many matrices there are
	if _, reverses := k.(chains.Reverser); reverses {
		reversal = 2
	}
	if entries, framed := frames.Entries(k, states, mostCounted); framed {
		return work(reversal*entries, entries, 0)
	}
	rower, closed := k.(chains.Rower)
	if !closed || states > mostEvaluated {
		entries := n * float64(space.Directions()+1)
		return work(2*entries, entries, 0)
	}
	// Log f is neither flat nor smooth, so that a kernel reaches as many states, and takes as many
	// repeats to mix, as on a toy.
	logf := make([]float64, states)
	for x := range logf {
		logf[x] = 2 * math.Sin(1+12.9898*float64(x))
	}
	row := chains.RowWorkOf(rower, logf, middleOf(space))
	switch k.(type) {
	case kernels.Wolff:
		if target != nil { // measured: between an ordered state and most states
			row.Entries = 0.6 * math.Sqrt(row.Entries*meanEntries(rower, target))
		}
	case kernels.Tabu:
		row.Products *= tabuTimes
	}
	nanos := productNanos*(n*row.Products+row.Shared) + partNanos*row.Parts + firstNanos*n*row.Entries
	w := work(reversal*(n*row.Entries+row.Parts), n*row.Entries, reversal*nanos)
	// such rows are found anew at every step
	w.Start = 0
	w.Bytes = rowsGrow * w.Bytes
	return w
}

// meanEntries returns the mean number of entries of the rows of some states, spread over the space.
// From a state in order a cluster may be any of many connected sets; most states have few.
func meanEntries(k chains.Rower, logf []float64) float64 {
	const states = 64
	rows := chains.PreparedRows{}
	rows.Prepare(k, logf, nil)
	total := 0
	for i := range states {
		x := int(uint64(i) * 0x9E3779B1 % uint64(len(logf)))
		row, _ := rows.AppendRow(nil, x) // only a watch can fail
		total += len(row)
	}
	return float64(total) / states
}

// middleOf returns a state that has all its neighbours: the middle of a grid, and of another graph
// the first state with as many neighbours as any.
func middleOf(space grid.Graph) int {
	if l, ok := space.(*grid.Lattice); ok {
		middle := l.Sides()
		for k := range middle {
			middle[k] /= 2
		}
		return l.Index(middle...)
	}
	for x := range space.States() {
		if _, all := space.Neighbour(x, space.Directions()-1); all {
			return x
		}
	}
	return 0
}
