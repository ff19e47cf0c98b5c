package sandwich

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/estimators"
	"breadboard/chains/selector"
	"breadboard/toys/latent"
)

// Model is a model of data of any size: its name, how data are drawn from it, and how its
// annealings are made.
type Model struct {
	Name string // the selector, in canonical form
	Kind string // the first part of the name
	K    int    // the number of components
	// Representations are the ways to write the model, if there are several; the first one keeps
	// all variables.
	Representations []Representation

	check    func(s size) error // returns the reason why there are no data of a size, and nil if there are
	simulate func(c chains.RealChooser, s size) (*Data, error)
	// the same with existing data, and with an exact draw or nil
	given   func(y [][]float64, d draw) (*Data, error)
	pace    func(s size) pace
	meaning string // the distribution of the data in formulas, with all numbers
}

// The default sizes of data.
//
// Source: Grosse, Ghahramani and Adams 2015, section 6.4.
const (
	DefaultRows    = 50
	DefaultColumns = 25
)

// MaxRows, MaxColumns and MaxComponents bound the sizes.
const (
	MaxRows       = 10_000
	MaxColumns    = 1_000
	MaxComponents = 100
	maxAttributes = 16 // of the binary model
)

// form is how a model is selected.
type form = selector.Form[selector.Nothing, Model]

// Models are the forms of the selectors of models, in the order in which they are listed.
func Models() selector.Set[selector.Nothing, Model] {
	return selector.NewSet("model", clusteringForm, lowRankForm, binaryForm)
}

// ParseModel returns the model of a selector.
func ParseModel(text string) (Model, error) { return Models().Parse(text, selector.Nothing{}) }

// ModelNames are the selectors of the models with the numbers of components of Grosse, Ghahramani
// and Adams (2015).
func ModelNames() []string { return []string{"clustering", "lowrank", "binary"} }

// numbers are the arguments of a model: the number of components, and the numbers in its priors.
type numbers struct {
	args   selector.Args
	names  []string  // of the priors' numbers
	values []float64 // their defaults, replaced by the arguments
	k      int
}

// readArguments reads the arguments of a model: K alone, or K and all the other numbers.
func (n *numbers) readArguments() error {
	if !n.args.Given {
		return nil
	}
	parts := strings.Split(n.args.Text, ":")
	if len(parts) != 1 && len(parts) != 1+len(n.names) {
		return n.args.Errorf("%d numbers; give K alone, or K and %s", len(parts), strings.Join(n.names, ", "))
	}
	for i, part := range parts {
		v, err := selector.ParseNumber(part)
		switch {
		case i == 0 && (err != nil || !(v >= 1 && v <= MaxComponents) || v != float64(int(v))):
			return n.args.Errorf("K is %q; give a whole number of components from 1 to %d", part, MaxComponents)
		case err != nil:
			return n.args.Errorf("%s: %w", n.names[i-1], err)
		case i == 0:
			n.k = int(v)
		default:
			n.values[i-1] = v
		}
	}
	return nil
}

// formatSelector returns the canonical selector.
func (n *numbers) formatSelector(kind string, k int, values []float64) string {
	same := true
	for i, v := range values {
		same = same && v == n.values[i]
	}
	if same && k == n.k {
		return kind
	}
	parts := []string{kind, strconv.Itoa(n.k)}
	if !same {
		for _, v := range n.values {
			parts = append(parts, strconv.FormatFloat(v, 'g', -1, 64))
		}
	}
	return strings.Join(parts, ":")
}

// checkSize returns an error if there are no data of a size.
func checkSize(s size) error {
	if s.rows < 1 || s.rows > MaxRows || s.columns < 1 || s.columns > MaxColumns {
		return errs.New(
			"{data-rows|rows} %d and {data-columns|columns} %d; data have 1 to %d rows and 1 to %d columns",
			s.rows,
			s.columns,
			MaxRows,
			MaxColumns,
		)
	}
	return nil
}

// maxSignal is the largest ratio of the variances of signal and noise. Data are rounded in their
// sixteenth digit: at this ratio that moves log p(y) of 50 by 25 numbers by about 1e-4 nats, and at
// 1e30 by hundreds.
const maxSignal = 1e20

// checkSignal returns an error if rounding would determine the likelihood of data.
func (n *numbers) checkSignal(signal, noise float64) error {
	if !(signal/noise <= maxSignal) {
		return n.args.Errorf(
			"the variance of the signal is %v and that of the noise %v; their ratio must be at most %v, "+
				"since rounding errors dominate above",
			signal,
			noise,
			maxSignal,
		)
	}
	return nil
}

func clusteringForm() form {
	return form{
		Syntax:  "clustering[:K[:ST2:SN2]]",
		Doc:     "normal clusters: K of them, with the variances of centres and noise",
		Source:  "Grosse, Ghahramani and Adams 2015, section 6",
		Example: "clustering:10:1:1",
		Others:  []string{"mixture", "gmm", "kmeans", "mog"},
		Parse: func(args selector.Args, _ selector.Nothing) (Model, error) {
			n := numbers{args, []string{"ST2", "SN2"}, []float64{1, 1}, 10}
			if err := n.readArguments(); err != nil {
				return Model{}, err
			}
			hyper := estimators.EqualClusters(n.k)
			hyper.CentreVariance = n.values[0]
			hyper.NoiseVariance = n.values[1]
			if err := hyper.Validate(); err != nil {
				return Model{}, args.Wrap(err)
			}
			if err := n.checkSignal(hyper.CentreVariance, hyper.NoiseVariance); err != nil {
				return Model{}, err
			}
			with := func(y [][]float64, exact *latent.ClusteringState) (*Data, error) {
				var truth []int
				if exact != nil {
					truth = slices.Clone(exact.Z)
				}
				climb := clusterings(y, hyper, truth)
				p, err := latent.NewClustering(y, n.k, hyper)
				if err != nil {
					return nil, err
				}
				d := &Data{Rows: y, problem: func() problem {
					fork := p.Fork()
					return typed[*latent.ClusteringState]{fork, fork.Along(), climb}
				}}
				if exact != nil {
					p.Start(exact)
					d.draw = draw{"z": rowsOf(exact.Z, 1)}
				}
				return d, nil
			}
			return Model{
				Name: n.formatSelector("clustering", 10, []float64{1, 1}), Kind: "clustering", K: n.k,
				check: checkSize,
				pace:  func(s size) pace { return clusteringPace(s, n.k) },
				simulate: func(c chains.RealChooser, s size) (*Data, error) {
					return with(latent.SimulateClustering(c, s.rows, s.columns, n.k, hyper))
				},
				given: func(y [][]float64, d draw) (*Data, error) {
					z, err := d.wholeTable("z", len(y), 1, n.k)
					if err != nil || z == nil {
						return withNone(with, y, err)
					}
					return with(y, &latent.ClusteringState{Z: z, Hyper: hyper})
				},
				meaning: fmt.Sprintf(
					"cluster z_i of row i is each of 0 to %d with probability 1/%d; centre c_kj ~ N(0, "+
						"%v); y_ij ~ N(c_kj, %v) where k = z_i; the centres are integrated out, and "+
						"independent given z and y",
					n.k-1,
					n.k,
					hyper.CentreVariance,
					hyper.NoiseVariance,
				),
			}, nil
		},
	}
}

func lowRankForm() form {
	return form{
		Syntax:  "lowrank[:K[:SU2:SV2:SN2]]",
		Doc:     "a matrix of rank K with noise, with the variances of both factors and of the noise",
		Source:  "Grosse, Ghahramani and Adams 2015, section 6",
		Example: "lowrank:5:1:1:1",
		Others:  []string{"low-rank", "matrix", "pmf", "factorization", "lowrankapproximation"},
		Parse: func(args selector.Args, _ selector.Nothing) (Model, error) {
			n := numbers{args, []string{"SU2", "SV2", "SN2"}, []float64{1, 1, 1}, 5}
			if err := n.readArguments(); err != nil {
				return Model{}, err
			}
			hyper := estimators.Factors{
				UVariance:     n.values[0],
				VVariance:     n.values[1],
				NoiseVariance: n.values[2],
			}
			if err := hyper.Validate(); err != nil {
				return Model{}, args.Wrap(err)
			}
			if err := n.checkSignal(hyper.UVariance*hyper.VVariance, hyper.NoiseVariance); err != nil {
				return Model{}, err
			}
			with := func(y [][]float64, exact *latent.LowRankState) (*Data, error) {
				climb := factorizations(y, n.k, hyper)
				p, err := latent.NewLowRank(y, n.k, hyper)
				if err != nil {
					return nil, err
				}
				d := &Data{Rows: y, problem: func() problem {
					fork := p.Fork()
					return typed[*latent.LowRankState]{fork, fork.Along(), climb}
				}}
				if exact != nil {
					p.Start(exact)
					d.draw, d.represented = draw{"u": transposed(exact.U), "v": exact.V},
						representedLowRank(p, exact)
				}
				return d, nil
			}
			return Model{
				Name:            n.formatSelector("lowrank", 5, []float64{1, 1, 1}),
				Kind:            "lowrank",
				K:               n.k,
				Representations: lowRankRepresentations(),
				check: func(s size) error {
					if err := checkSize(s); err != nil {
						return err
					}
					if n.k >= min(s.rows, s.columns) {
						return errs.New("a low rank model with K = %d for %d rows and %d columns; K must be below "+
							"both, or the product has full rank",
							n.k, s.rows, s.columns)
					}
					return nil
				},
				pace: func(s size) pace { return lowRankPace(s, n.k) },
				simulate: func(c chains.RealChooser, s size) (*Data, error) {
					return with(latent.SimulateLowRank(c, s.rows, s.columns, n.k, hyper))
				},
				given: func(y [][]float64, d draw) (*Data, error) {
					u, err := d.table("u", len(y), n.k)
					v, vErr := d.table("v", n.k, len(y[0]))
					err = cmp.Or(err, vErr)
					if err != nil || u == nil {
						return withNone(with, y, err)
					}
					return with(y, latent.NewLowRankState(transposed(u), v, hyper))
				},
				meaning: fmt.Sprintf(
					"u_ik ~ N(0, %v) in a table of N rows and K = %d columns; v_kj ~ N(0, %v) in one of K "+
						"rows and D columns; y_ij ~ N(sum over k of u_ik v_kj, %v)",
					hyper.UVariance,
					n.k,
					hyper.VVariance,
					hyper.NoiseVariance,
				),
			}, nil
		},
	}
}

func binaryForm() form {
	return form{
		Syntax:  "binary[:K[:PI:SA2:SN2]]",
		Doc:     "K binary attributes of each row, with their probability and the variances of features and noise",
		Source:  "Grosse, Ghahramani and Adams 2015, section 6",
		Example: "binary:10:0.5:1:1",
		Others:  []string{"attributes", "ibp", "binaryattributes"},
		Parse: func(args selector.Args, _ selector.Nothing) (Model, error) {
			n := numbers{args, []string{"PI", "SA2", "SN2"}, []float64{0.5, 1, 1}, 10}
			if err := n.readArguments(); err != nil {
				return Model{}, err
			}
			if n.k > maxAttributes {
				return Model{},
					args.Errorf("K = %d; at most %d attributes are allowed, since sequential Monte Carlo and the "+
						"BIC compare each row with all 2^K patterns",
						n.k,
						maxAttributes)
			}
			hyper := estimators.EvenAttributes(n.k)
			for i := range hyper.Pi {
				hyper.Pi[i] = n.values[0]
			}
			hyper.FeatureVariance = n.values[1]
			hyper.NoiseVariance = n.values[2]
			if err := hyper.Validate(); err != nil {
				return Model{}, args.Wrap(err)
			}
			with := func(y [][]float64, exact *latent.BinaryState) (*Data, error) {
				climb := attributes(y, hyper)
				p, err := latent.NewBinary(y, n.k, hyper)
				if err != nil {
					return nil, err
				}
				d := &Data{Rows: y, problem: func() problem {
					fork := p.Fork()
					return typed[*latent.BinaryState]{fork, fork.Along(), climb}
				}}
				if exact != nil {
					p.Start(exact)
					d.draw = draw{"z": rowsOf(exact.Z, n.k)}
				}
				return d, nil
			}
			return Model{
				Name: n.formatSelector("binary", 10, []float64{0.5, 1, 1}), Kind: "binary", K: n.k,
				check: checkSize,
				pace:  func(s size) pace { return binaryPace(s, n.k) },
				simulate: func(c chains.RealChooser, s size) (*Data, error) {
					return with(latent.SimulateBinary(c, s.rows, s.columns, n.k, hyper))
				},
				given: func(y [][]float64, d draw) (*Data, error) {
					z, err := d.wholeTable("z", len(y), n.k, 2)
					if err != nil || z == nil {
						return withNone(with, y, err)
					}
					return with(y, &latent.BinaryState{Z: z, Hyper: hyper})
				},
				meaning: fmt.Sprintf(
					"attribute z_ik of row i is 1 with probability %v and else 0, in a table of N rows "+
						"and K = %d columns; feature a_kj ~ N(0, %v); y_ij ~ N(sum over k of z_ik a_kj, "+
						"%v); the features are integrated out, and normal given z and y",
					n.values[0],
					n.k,
					hyper.FeatureVariance,
					hyper.NoiseVariance,
				),
			}, nil
		},
	}
}
