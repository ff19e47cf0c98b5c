package records

import (
	"maps"
	"math"
	"slices"

	"breadboard/experiments/eprocess"
)

// Need says how many runs find a way to get it wrong, and name it, by all columns, each with a probability of about 0.99: the
// sum of log likelihood ratios is taken to be normal.
type Need struct {
	Kind       string // of records
	Hypothesis string
	KL         float64  // of a run under the hypothesis from one under the specification, in nats
	Found      float64  // the number of runs after which it is a fault; +Inf where none is enough
	Named      float64  // the number of runs after which it is a hundred times likelier than any other, and than an unknown law; at least Found
	Alike      []string // the hypotheses that have the same law, which may be the specification
}

// Needs returns how many runs every known way to get it wrong takes, at a probability of a false alarm of alpha.
func (l *Laws) Needs(alpha float64) []Need {
	var out []Need
	tests := 0
	for _, s := range l.sides {
		tests += len(s.Kind.parts(s.everything())) + 1
	}
	for _, s := range l.sides {
		parts := s.Kind.parts(s.everything())
		all := parts[len(parts)-1]
		o := newOdds(all, s)
		o.laws, o.classes = append(slices.Clone(o.laws), s.of(&all).mean), append(o.classes, len(s.Ways)) // the last is the unknown law
		for _, law := range o.laws {
			o.cells = append(o.cells, slices.Sorted(maps.Keys(law)))
		}
		found := math.Log(float64(tests)*float64(len(s.Ways))) - math.Log(alpha)
		for h := 1; h < len(s.Ways); h++ {
			n := Need{Kind: s.Name, Hypothesis: s.Ways[h].Name}
			n.KL, n.Found = o.needs(h, 0, found)
			n.Named = n.Found
			for other, class := range o.classes {
				switch {
				case other == h:
				case class == o.classes[h]:
					n.Alike = append(n.Alike, s.Ways[other].Name)
				case other > 0:
					target := math.Log(namedOdds)
					if other == len(s.Ways) {
						target += math.Log(eprocess.ConcentrationCount)
					}
					_, runs := o.needs(h, other, target)
					n.Named = max(n.Named, runs)
				}
			}
			out = append(out, n)
		}
	}
	return out
}

// everything has all groups.
func (k *Kind) everything() map[string]bool {
	groups := map[string]bool{}
	for _, g := range k.Groups {
		groups[g.Name] = true
	}
	return groups
}

// needs returns KL(h || other) of a run, and the number of runs after which the log likelihood ratio of h and another law is at
// least target nats. A run that is impossible under the other law decides at once.
func (o *odds) needs(h, other int, target float64) (kl, runs float64) {
	mean, square, impossible := 0.0, 0.0, 0.0
	for _, cell := range o.cells[h] {
		v, u := o.laws[h][cell], o.laws[other][cell]
		if u == 0 {
			impossible += v
			continue
		}
		l := math.Log(v / u)
		mean += v * l
		square += v * l * l
	}
	if o.classes[h] == o.classes[other] {
		return 0, math.Inf(1)
	}
	ratio := eprocess.Ratio{Mean: mean, Variance: max(0, square-mean*mean)}
	kl = mean
	if impossible > distinct {
		kl, ratio.Impossible = math.Inf(1), impossible
	}
	return kl, ratio.Draws(target)
}
