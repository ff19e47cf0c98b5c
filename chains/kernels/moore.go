package kernels

import (
	"breadboard/chains"
	"breadboard/chains/internal/library"
	"breadboard/chains/selector"
	"breadboard/grid"
)

// Moore is the Metropolis kernel that proposes any of the 3^d - 1 points around x, diagonal ones included, with
// equal probability, and rejects what lands outside.
type Moore struct{ Space *grid.Lattice }

// around returns point i of the 3^d points of the box around x, of which the middle one is x itself, and false where that
// point lies beyond a wall.
func (k Moore) around(x, i int) (int, bool) {
	for axis := range k.Space.Dims() {
		step := i % 3
		i /= 3
		if step == 1 {
			continue
		}
		y, inside := k.Space.Neighbour(x, 2*axis+step/2)
		if !inside {
			return 0, false
		}
		x = y
	}
	return x, true
}

func (k Moore) points() int {
	n := 1
	for range k.Space.Dims() {
		n *= 3
	}
	return n
}

// Move makes one proposal and accepts or rejects it.
func (k Moore) Move(c chains.Chooser, logf []float64, x int) int {
	n := k.points()
	i := c.Uniform(n - 1)
	if i >= n/2 {
		i++ // skip the middle point, which is x itself
	}
	if y, inside := k.around(x, i); inside && c.Flip(metropolisAccept(logf[x], logf[y])) {
		return y
	}
	return x
}

// AppendRow appends at most 3^d entries.
func (k Moore) AppendRow(dst []chains.Entry, logf []float64, x int) []chains.Entry {
	n := k.points()
	p := make([]proposal, 0, n-1)
	for i := range n {
		if i != n/2 {
			y, inside := k.around(x, i)
			p = append(p, proposal{y, inside, 1 / float64(n-1)})
		}
	}
	return appendProposals(dst, logf, x, p, metropolisAccept, metropolisRefuse)
}

// States returns the number of states of the space.
func (k Moore) States() int { return k.Space.States() }

// String returns the selector "moore".
func (Moore) String() string { return "moore" }

// Library returns the Word of the library for this type: it leaves its distribution invariant and knows its time reversal.
func (k Moore) Library() library.Word { return library.For(k) }

// mooreForm is how Moore is selected.
func mooreForm() kernelForm {
	return kernelForm{
		Syntax: "moore", Doc: "Metropolis with all 3^d - 1 points around; needs a grid", Example: "moore", Reversible: true,
		Parse: func(args selector.Args, on Env) (chains.Kernel, error) {
			space, err := on.lattice("steps along several axes at once")
			if err != nil {
				return nil, args.Wrap(err)
			}
			return Moore{space}, nil
		},
	}
}

// Evaluations returns how often a move asks for log f: at the one state that it proposes.
func (Moore) Evaluations() float64 { return 1 }
