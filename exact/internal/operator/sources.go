package operator

import (
	"slices"

	"breadboard/chains"
)

// Sources are the rows of the transposed matrix of a kernel with Metropolis acceptance: the sources
// of the mass of a state in a move. A caller that moves many masses at once makes the row of a
// state once for all of them. It is immutable.
type Sources struct {
	edges   *scattered
	outside []float64 // by state: the probability of a proposal that leads nowhere
}

// mostSources is the largest number of edges of Sources, which take 40 bytes each.
const mostSources = 1 << 24

// SourcesOf returns the sources of an operator. It is nil unless its kernel is a local one with
// Metropolis acceptance and not too many edges, and these are listed.
func SourcesOf(o Operator) *Sources {
	m, is := o.(*metropolis)
	if !is || m.box != nil || len(m.share) > mostSources {
		return nil
	}
	return &Sources{m.byState(), m.outside}
}

// States returns the neighbours of state x.
func (s *Sources) States(x int) []int32 { return s.edges.to[s.edges.start[x]:s.edges.start[x+1]] }

// AppendRow appends the probabilities to come to x from each state, x itself last, under a
// distribution. The argument law holds f (up to a factor), 1/f and log f of each state. Numbers of
// states are multiplied by width, for arrays with width numbers for each state. The probability to
// stay is a sum of the refused proposals, so that none of its terms is negative.
func (s *Sources) AppendRow(dst []chains.Entry, x, width int, law [][3]float64) []chains.Entry {
	f := law[x][0]
	refused := 0.0
	first := s.edges.start[x]
	end := s.edges.start[x+1]
	to := s.edges.to[first:end]
	share := s.edges.there[first:end][:len(to)]
	dst = slices.Grow(dst, len(to)+1)
	row := dst[len(dst):][:len(to)]
	for k, y := range to {
		from := &law[y]
		least := min(f, from[0])
		d := f - least
		if d*(closest*f-d) > 0 { // both are positive: one branch, which is rarely taken
			d = max(0, small(f, from[0], law[x][2]-from[2]))
		}
		refused += float64(share[k] * d)
		row[k] = chains.Entry{To: int(y) * width, P: float64(share[k]*least) * from[1]}
	}
	return append(dst[:len(dst)+len(to)], chains.Entry{To: x * width, P: s.outside[x] + refused*law[x][1]})
}
