package toys

import (
	"fmt"
	"math"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/selector"
)

// needle returns the target on strings of n bits whose g is a if all are one, and else 0.
func needle(n int, a float64) (*Toy, error) {
	a += 0
	return meanField{fmt.Sprintf("weight:%d:needle:%v", n, a),
		fmt.Sprintf("strings of %d bits, of which one has g = %v and all others 0", n, a), n,
		func(ones int) float64 {
			if ones == n {
				return a
			}
			return 0
		}}.toy()
}

// modes returns the mixture of two distributions on strings of n bits, w times that of independent
// bits that are one with probability first, and 1-w times that with probability second. All three
// are between 0 and 1, without the ends.
func modes(n int, first, second, w float64) (*Toy, error) {
	name := fmt.Sprintf("weight:%d:modes:%v:%v:%v", n, first, second, w)
	for _, p := range []float64{first, second, w} {
		if !(p > 0 && p < 1) {
			return nil, fmt.Errorf("%v is not a probability between 0 and 1, without the ends", p)
		}
	}
	bits := func(ones int, p float64) float64 {
		return float64(ones)*number.Log(p) + float64(n-ones)*math.Log1p(-p)
	}
	return meanField{
		name, fmt.Sprintf("strings of %d bits, %v of them one in a mode of weight %v, and %v in the other",
			n, first, w, second), n,
		func(ones int) float64 {
			return number.LogSumExp([]float64{number.Log(w) + bits(ones, first), math.Log1p(-w) + bits(ones, second)})
		}}.toy()
}

// pSpin returns the model of n spins of which every p act on one another, g = n K m^p with m the
// mean of the spins. For p >= 3 its transition is of first order.
//
// Source: Derrida 1981 for random couplings; Jörg, Krzakala, Kurchan, Maggs and Pujos 2010 for this
// one.
func pSpin(n, p int, k float64) (*Toy, error) {
	k += 0
	if p < 1 || p > mostSpins {
		return nil, errs.New("%d spins that act on one another; give a number from 1 to %d", p, mostSpins)
	}
	return meanField{fmt.Sprintf("weight:%d:pspin:%d:%v", n, p, k),
		fmt.Sprintf("%d spins of which every %d act on one another, g = %d K m^%d with K = %v", n, p, n,
			p, k), n, func(up int) float64 {
			return float64(n) * k * math.Pow(float64(2*up-n)/float64(n), float64(p))
		}}.toy()
}

// mostSpins bounds how many spins act on one another.
const mostSpins = 1000

// byWeight returns the target on strings of n bits with the given g for each number of ones.
func byWeight(name, about string, n int, g []float64) (*Toy, error) {
	if len(g) != n+1 {
		return nil, errs.New(
			"%d numbers for the strings of %d bits; give one for each number of ones from 0 to %d, %d in all",
			len(g),
			n,
			n,
			n+1,
		)
	}
	return meanField{name, about, n, func(ones int) float64 { return g[ones] }}.toy()
}

// weightForm is how the targets are selected that depend on the number of ones of a string.
func weightForm() toyForm {
	return toyForm{
		Syntax: "weight:N:G",
		Doc: "strings of N bits by their number of ones: G is needle:A (g = A if all are one), " +
			"modes:TH1:TH2:W (two modes), pspin:P:K (g = N K m^P), random:SIGMA:SEED or file:PATH of N+1 numbers",
		Example: "weight:50:pspin:3:1.5", Missing: "the number of bits and g", Parse: parseWeight,
		File: func(args string) string {
			if _, path, is := strings.Cut(args, ":file:"); is {
				return PathFile(path)
			}
			return ""
		},
	}
}

// weightArguments say what stands behind the number of bits.
const weightArguments = "weight:N:needle:A, weight:N:modes:TH1:TH2:W, weight:N:pspin:P:K, " +
	"weight:N:random:SIGMA:SEED or weight:N:file:PATH"

func parseWeight(args selector.Args, _ Forms) (*Toy, error) {
	bits, rest, _ := strings.Cut(args.Text, ":")
	name, inner, _ := strings.Cut(rest, ":")
	head := args
	head.Text = bits
	a, err := readTerms(head, weightArguments, 1, 0, 0)
	if err != nil {
		return nil, err
	}
	n := a.wholes[0]
	tail := args
	tail.Text = inner
	read := func(write string, wholes, numbers int) bool {
		a, err = readTerms(tail, write, wholes, numbers, 0)
		return err == nil
	}
	var t *Toy
	var wrong error // with what was read, and not yet with the selector in front
	switch name {
	case "needle":
		if read("weight:N:needle:A", 0, 1) {
			t, wrong = needle(n, a.numbers[0])
		}
	case "modes":
		if read("weight:N:modes:TH1:TH2:W", 0, 3) {
			t, wrong = modes(n, a.numbers[0], a.numbers[1], a.numbers[2])
		}
	case "pspin":
		if read("weight:N:pspin:P:K", 1, 1) {
			t, wrong = pSpin(n, a.wholes[0], a.numbers[0])
		}
	case "random":
		t, err = randomWeights(tail, n)
	case "file":
		t, wrong = weightsInFile(args.Text, inner, n)
	default:
		return nil, args.Errorf("write %s", weightArguments)
	}
	if err != nil {
		return nil, err
	}
	return t, args.Wrap(wrong)
}

// weightsInFile reads a g for each number of ones.
func weightsInFile(arguments, path string, n int) (*Toy, error) {
	if path == "" {
		return nil, errs.New("no path; write weight:N:file:PATH")
	}
	c, err := LogF().readGrid(path, n+1)
	if err != nil {
		return nil, fmt.Errorf("file%w", err)
	}
	if c.space.Squeezed().Dims() > 1 {
		return nil, errs.New("file %s has the shape %v; give the g of 0 to %d ones as a line of numbers",
			path, c.space, n)
	}
	t, err := byWeight("weight:"+arguments, "strings by their number of ones, g read from "+path, n, c.g)
	if err == nil {
		t.Doubt = joinNotes(t.Doubt, c.note)
	}
	return t, err
}

// randomWeights reads SIGMA:SEED of a random g for each number of ones.
func randomWeights(args selector.Args, n int) (*Toy, error) {
	sigmaText, seedText, found := strings.Cut(args.Text, ":")
	if !found {
		return nil, args.Errorf("write weight:N:random:SIGMA:SEED")
	}
	sigma, seed, err := sigmaAndSeed(args, sigmaText, seedText)
	if err != nil {
		return nil, err
	}
	g, err := randomG(sigma, seed, n+1)
	if err != nil {
		return nil, args.Wrap(err)
	}
	return byWeight(fmt.Sprintf("weight:%d:random:%v:%d", n, sigma, seed),
		fmt.Sprintf("strings of %d bits by their number of ones, ", n)+
			describeRandom(sigma, seed), n, g)
}
