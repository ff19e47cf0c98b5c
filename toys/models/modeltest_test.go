package models_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"breadboard/toys/models"
	"breadboard/toys/models/modeltest"
)

// conditioned is a model that has conditionals.
type conditioned interface {
	models.Model
	Conditional(axis int, z []int) []float64
}

// instances returns the built-in models, and each at variances that differ by a factor of 1e6 in both directions.
func instances() map[string]conditioned {
	out := map[string]conditioned{"clu6": models.Clu6(), "clu8": models.Clu8(), "clu4": models.Clu4(), "bin4": models.Bin4()}
	for _, ratio := range []float64{1e-6, 1e6} {
		clu, bin := models.Clu6(), models.Bin4()
		clu.CentreVariance, bin.FeatureVariance = ratio*clu.NoiseVariance, ratio*bin.NoiseVariance
		out[fmt.Sprintf("clu6 with signal %v", ratio)], out[fmt.Sprintf("bin4 with signal %v", ratio)] = clu, bin
	}
	return out
}

func TestConditionals(t *testing.T) {
	for name, m := range instances() {
		t.Run(name, func(t *testing.T) { modeltest.Run(t, m, m.Conditional) })
	}
}

// TestConditionalOfOne: with one datum the conditional of a clustering is the prior, whatever the datum.
func TestConditionalOfOne(t *testing.T) {
	m := &models.Clustering{Y: [][]float64{{7, -3}}, Pi: []float64{0.5, 0.3, 0.2}, CentreVariance: 4, NoiseVariance: 1}
	for k, p := range m.Conditional(0, []int{1}) {
		if math.Abs(p-m.Pi[k]) > 1e-15 {
			t.Errorf("cluster %d has the probability %v", k, p)
		}
	}
	modeltest.Run(t, m, m.Conditional)
	one := &models.Binary{Y: [][]float64{{1, 2}}, Pi: []float64{0.5, 0.3, 0.9}, FeatureVariance: 2, NoiseVariance: 0.5}
	modeltest.Run(t, one, one.Conditional)
}

// clusteringBy is a second, plain form of the conditional of a clustering, in which a bug can be planted: it goes through the posterior of
// the centres.
func clusteringBy(m *models.Clustering, bug string) modeltest.Conditional {
	return func(axis int, z []int) []float64 {
		law := make([]float64, len(m.Pi))
		for k, p := range m.Pi {
			n, d := 0.0, len(m.Y[0])
			sums := make([]float64, d)
			for i, zi := range z {
				if zi != k || i == axis && bug != "datum counted in its own cluster" {
					continue
				}
				n++
				for j, y := range m.Y[i] {
					sums[j] += y
				}
			}
			precision := 1/m.CentreVariance + n/m.NoiseVariance
			if bug == "no prior of the centres" {
				precision = 1e-9 + n/m.NoiseVariance
			}
			variance := m.NoiseVariance + 1/precision
			if bug == "variance without that of the centre" {
				variance = m.NoiseVariance
			}
			density := p
			if bug == "missing pi" {
				density = 1
			}
			for j, y := range m.Y[axis] {
				mean := sums[j] / m.NoiseVariance / precision
				if bug == "sum in place of the mean" {
					mean = sums[j]
				}
				if bug == "one column for all" {
					mean = sums[0] / m.NoiseVariance / precision
				}
				scale := variance
				if bug == "standard deviation in place of the variance" {
					scale = math.Sqrt(variance)
				}
				density *= math.Exp(-(y-mean)*(y-mean)/(2*scale)) / math.Sqrt(variance)
			}
			if bug == "normalised density left out" {
				density *= math.Pow(variance, float64(d)/2)
			}
			law[k] = density
		}
		return unit(law)
	}
}

// binaryBy is the same of the conditional of two binary attributes, by the inverse of the 2 by 2 matrix A of the other rows.
func binaryBy(m *models.Binary, bug string) modeltest.Conditional {
	return func(axis int, z []int) []float64 {
		i, k := axis/2, axis%2
		law := make([]float64, 2)
		for v := range law {
			var a [2][2]float64
			b := make([][2]float64, len(m.Y[0]))
			for row, y := range m.Y {
				if row == i && bug != "datum counted among the others" {
					continue
				}
				for p := range 2 {
					for q := range 2 {
						if p == q || bug != "attributes taken as independent" {
							a[p][q] += float64(z[2*row+p]*z[2*row+q]) / m.NoiseVariance
						}
					}
					for j, yj := range y {
						b[j][p] += float64(z[2*row+p]) * yj / m.NoiseVariance
					}
				}
			}
			for p := range 2 {
				if bug != "no prior of the features" {
					a[p][p] += 1 / m.FeatureVariance
				} else {
					a[p][p] += 1e-6
				}
			}
			det := a[0][0]*a[1][1] - a[0][1]*a[1][0]
			inverse := [2][2]float64{{a[1][1] / det, -a[0][1] / det}, {-a[1][0] / det, a[0][0] / det}}
			mine := []float64{float64(z[2*i]), float64(z[2*i+1])}
			mine[k] = float64(v)
			variance := m.NoiseVariance
			for p := range 2 {
				for q := range 2 {
					if bug != "variance without that of the features" {
						variance += mine[p] * mine[q] * inverse[p][q]
					}
				}
			}
			density := 1 - m.Pi[k]
			if v == 1 {
				density = m.Pi[k]
			}
			switch bug {
			case "missing pi":
				density = 1
			case "pi of the other value":
				density = 1 - density
			case "pi of another attribute":
				density = []float64{1 - m.Pi[1-k], m.Pi[1-k]}[v]
			}
			for j, y := range m.Y[i] {
				mean := 0.0
				for p := range 2 {
					for q := range 2 {
						mean += mine[p] * inverse[p][q] * b[j][q]
					}
				}
				density *= math.Exp(-(y-mean)*(y-mean)/(2*variance)) / math.Sqrt(variance)
			}
			law[v] = density
		}
		return unit(law)
	}
}

func unit(law []float64) []float64 {
	sum := 0.0
	for _, p := range law {
		sum += p
	}
	for i := range law {
		law[i] /= sum
	}
	return law
}

// TestBugsAreFound: the plain forms pass, and each bug that is planted in them is found.
func TestBugsAreFound(t *testing.T) {
	clu, bin := models.Clu6(), models.Bin4()
	for _, bug := range []string{
		"", "missing pi", "datum counted in its own cluster", "variance without that of the centre", "no prior of the centres", "sum in place of the mean",
		"one column for all", "standard deviation in place of the variance", "normalised density left out",
	} {
		if errs := modeltest.Check(clu, clusteringBy(clu, bug)); (len(errs) == 0) != (bug == "") {
			t.Errorf("clustering with the bug %q: %v", bug, errs)
		}
	}
	for _, bug := range []string{
		"", "missing pi", "pi of the other value", "pi of another attribute", "datum counted among the others", "attributes taken as independent",
		"no prior of the features", "variance without that of the features",
	} {
		if errs := modeltest.Check(bin, binaryBy(bin, bug)); (len(errs) == 0) != (bug == "") {
			t.Errorf("binary attributes with the bug %q: %v", bug, errs)
		}
	}
}

// TestWhatIsSaid: mistakes of form are told of as such, and one error stands for each axis.
func TestWhatIsSaid(t *testing.T) {
	m := models.Clu8()
	for want, change := range map[string]func(axis int, z []int) []float64{
		"it changes the coordinates from [0 0":          func(axis int, z []int) []float64 { p := m.Conditional(axis, z); z[axis] = 1 - z[axis]; return p },
		"it has 3 probabilities, and the axis 2 values": func(axis int, z []int) []float64 { return append(m.Conditional(axis, z), 0) },
		"the value 0 has the probability NaN":           func(int, []int) []float64 { return []float64{math.NaN(), 1} },
		"the value 1 has the probability -0.5":          func(int, []int) []float64 { return []float64{0.5, -0.5} },
		"the probabilities sum to 0.9":                  func(axis int, z []int) []float64 { return scaled(m.Conditional(axis, z), 0.9) },
		"p(0|u) = 0, and p(0,u)/p(1,u) = ":              func(int, []int) []float64 { return []float64{0, 1} },
		"p(0|u)/p(1|u) = 1, and p(0,u)/p(1,u) = ":       func(int, []int) []float64 { return []float64{0.5, 0.5} },
	} {
		errs := modeltest.Check(m, change)
		if len(errs) != 8 || !strings.Contains(errs[0].Error(), want) || !strings.HasPrefix(errs[7].Error(), "axis 7 given the others: at state ") {
			t.Errorf("%v, want %q", errs, want)
		}
	}
	large := models.Clu8()
	large.Y = slices.Concat(large.Y, large.Y, large.Y[:1])
	if errs := modeltest.Check(large, large.Conditional); len(errs) != 1 || !strings.Contains(errs[0].Error(), "131072 states; conditionals are checked on at most 65536") {
		t.Errorf("%v", errs)
	}
}

func scaled(law []float64, by float64) []float64 {
	for i := range law {
		law[i] *= by
	}
	return law
}

// A conditional of one's own is checked against the joint law in a line: modeltest.Run(t, m, conditional) in a test. Check returns what Run
// reports.
func ExampleCheck() {
	m := models.Clu4()
	fmt.Println("right:", modeltest.Check(m, m.Conditional))
	prior := func(int, []int) []float64 { return m.Pi } // it forgets the data
	fmt.Println("wrong:", modeltest.Check(m, prior)[0])
	// Output:
	// right: []
	// wrong: axis 0 given the others: at state 0,0,0,0: p(0|u)/p(1|u) = 1, and p(0,u)/p(1,u) = 1.00264257
}

// pair is the state of two correlated numbers x and y with the density exp(-x^2/2 - (y - x)^2/2).
type pair struct{ x, y float64 }

func logPair(s pair) float64 { return -s.x*s.x/2 - (s.y-s.x)*(s.y-s.x)/2 }

// normalLog is the log density of a normal number with some mean and variance.
func normalLog(x, mean, variance float64) float64 {
	return -(x-mean)*(x-mean)/(2*variance) - math.Log(2*math.Pi*variance)/2
}

// pairBlocks returns the two variables, the first of them with a variance that should be 1/2 and a mean that should be half the second number.
func pairBlocks(variance, share float64) []modeltest.Block[pair] {
	return []modeltest.Block[pair]{
		{
			Name: "x",
			Conditional: func(u pair) func(pair) float64 {
				return func(s pair) float64 { return normalLog(s.x, share*u.y, variance) }
			},
			Replace: func(u, s pair) pair { return pair{s.x, u.y} },
		},
		{
			Name:        "y",
			Conditional: func(u pair) func(pair) float64 { return func(s pair) float64 { return normalLog(s.y, u.x, 1) } },
			Replace:     func(u, s pair) pair { return pair{u.x, s.y} },
		},
	}
}

// someStates are states close by and far apart.
func someStates() []pair { return []pair{{0, 0}, {1, 2}, {-3, 0.5}, {0.001, 0}, {40, -20}} }

func TestRatios(t *testing.T) { modeltest.RunRatios(t, logPair, pairBlocks(0.5, 0.5), someStates()) }

// TestRatiosFindBugs: a variance that is 1e-10 too large and a mean that is as much off are found, in the block where they are.
func TestRatiosFindBugs(t *testing.T) {
	for name, blocks := range map[string][]modeltest.Block[pair]{
		"variance": pairBlocks(0.5*(1+1e-10), 0.5),
		"mean":     pairBlocks(0.5, 0.5*(1+1e-10)),
		"the old value in its own mean": func() []modeltest.Block[pair] {
			b := pairBlocks(0.5, 0.5)
			b[0].Conditional = func(u pair) func(pair) float64 {
				return func(s pair) float64 { return normalLog(s.x, 0.5*u.y+1e-9*u.x, 0.5) }
			}
			return b
		}(),
		"NaN": pairBlocks(math.NaN(), 0.5),
	} {
		errs := modeltest.CheckRatios(logPair, blocks, someStates())
		if len(errs) != 1 || !strings.HasPrefix(errs[0].Error(), "x given the others: the variables of state ") {
			t.Errorf("%s: %v", name, errs)
		}
	}
}

// TestRatiosWithoutMass: a value that has no mass must have none by either way, and one that has some must have some.
func TestRatiosWithoutMass(t *testing.T) {
	joint := func(x int) float64 { return []float64{0, math.Inf(-1), math.Inf(-1), math.Log(3)}[x] }
	block := func(law ...float64) []modeltest.Block[int] {
		return []modeltest.Block[int]{{
			Name:        "number",
			Conditional: func(int) func(int) float64 { return func(x int) float64 { return math.Log(law[x]) } },
			Replace:     func(_, x int) int { return x },
		}}
	}
	states := []int{0, 1, 2, 3}
	modeltest.RunRatios(t, joint, block(0.25, 0, 0, 0.75), states)
	for _, law := range [][]float64{{0.25, 1e-9, 0, 0.75}, {0.25, 0, 0, 0}, {0, 0, 0, 1}, {0.25, 0, 0, 0.7500001}} {
		if errs := modeltest.CheckRatios(joint, block(law...), states); len(errs) != 1 {
			t.Errorf("%v: %v", law, errs)
		}
	}
	if errs := modeltest.CheckRatios(joint, block(0.25, 0, 0, 0.75), states[:1]); len(errs) != 1 || !strings.Contains(errs[0].Error(), "1 states") {
		t.Errorf("%v", errs)
	}
}

// The conditional of a real number is checked on some states; its mistake is a mean that forgets the other number.
func ExampleCheckRatios() {
	states := []pair{{0, 0}, {1, 2}}
	fmt.Println("right:", modeltest.CheckRatios(logPair, pairBlocks(0.5, 0.5), states))
	fmt.Println("wrong:", modeltest.CheckRatios(logPair, pairBlocks(0.5, 0), states)[0])
	// Output:
	// right: []
	// wrong: x given the others: the variables of state 1 with the values of state 0: log p(x|u)/p(x'|u) = -1, and log p(x,u)/p(x',u) = 1
}
