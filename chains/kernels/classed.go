package kernels

import (
	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/selector"
	"breadboard/grid"
	"breadboard/grid/quotients"
)

// Classed is the chain that a kernel of the states induces on classes that lump under it. From a
// class it moves like the first member of the class, and returns the class of the new state. Its
// log f is that of whole classes. It is for kernels for which Lumped has no rule. Memory is
// O(states).
//
// Source: Kemeny and Snell 1960, section 6.3.
type Classed struct {
	Kernel  chains.Rower
	classes *quotients.Classes
}

// Move draws from the row.
func (k Classed) Move(c chains.Chooser, logf []float64, x int) int {
	return moveByRow(c, k.AppendRow(nil, logf, x))
}

// AppendRow appends at most one entry for each class.
func (k Classed) AppendRow(dst []chains.Entry, logf []float64, x int) []chains.Entry {
	return k.RowsUnder(logf)(dst, x)
}

// RowsUnder returns AppendRow for a logf that does not change.
func (k Classed) RowsUnder(logf []float64) func(dst []chains.Entry, x int) []chains.Entry {
	members := make([]float64, k.classes.LargerSpace().States())
	for x := range members {
		c := k.classes.Class(x)
		members[x] = logf[c] - k.classes.LogMembers()[c]
	}
	var rows chains.PreparedRows
	rows.Prepare(k.Kernel, members, nil)
	var row []chains.Entry
	p := make([]float64, len(logf))
	return func(dst []chains.Entry, c int) []chains.Entry {
		var err error
		row, err = rows.AppendRow(row[:0], k.classes.First(c))
		if err != nil {
			panic(err) // only a watch can return an error, and there is none
		}
		first := len(dst)
		for _, e := range row {
			to := k.classes.Class(e.To)
			if p[to] == 0 && e.P > 0 {
				dst = append(dst, chains.Entry{To: to})
			}
			p[to] += e.P
		}
		for i := first; i < len(dst); i++ {
			dst[i].P, p[dst[i].To] = p[dst[i].To], 0
		}
		return dst
	}
}

// States returns the number of classes.
func (k Classed) States() int { return k.classes.States() }

// String returns the selector, which is that of the kernel of the states.
func (k Classed) String() string { return chains.NameOf(k.Kernel) }

// Evaluations returns the number of evaluations of log f in a move of the kernel of the states.
func (k Classed) Evaluations() float64 {
	count, _ := chains.Evaluations(k.Kernel) // all kernels of the library say it
	return count
}

// Visited returns the number of classes if the kernel says that its rows take long, so that rows
// that are too large are not measured.
func (k Classed) Visited() int {
	if v, says := k.Kernel.(interface{ Visited() int }); says {
		return min(v.Visited(), k.States())
	}
	return 0
}

// classed returns a form that gives a Classed if the space is a quotient that lumps under the
// kernel, as checked by lumps.
func classed(form func() kernelForm, lumps func(q *quotients.Classes) error) func() kernelForm {
	return func() kernelForm {
		f := form()
		plain := f.Parse
		f.Parse = func(args selector.Args, on Env) (chains.Kernel, error) {
			listed, is := on.Space.(*quotients.Classes)
			if !is || listed.LargerSpace() == nil {
				return lumping(form)().Parse(args, on) // which refuses other quotients
			}
			if err := lumps(listed); err != nil {
				return nil, args.Wrap(err)
			}
			on.Space = listed.LargerSpace()
			k, err := plain(args, on)
			if err != nil {
				return nil, err
			}
			return Classed{k.(chains.Rower), listed}, nil
		}
		return f
	}
}

// lumpsOrbits returns nil if the rows of cluster moves lump: the classes must be orbits of
// permutations of the axes and of the flip of all spins. The couplings of all members are then
// alike.
func lumpsOrbits(q *quotients.Classes) error {
	if _, is := q.LargerSpace().(*grid.Lattice); !is || !q.Orbits() {
		return errs.New("the %s do not lump under it; it takes the orbits of the symmetries of spins of two values",
			q)
	}
	return nil
}
