package toys

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mathext/prng"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/grid"
)

// Easy returns EASY RANDOM, g = 2 z on 7x7. The paper does not print its z; with z from NumPy's
// RandomState(0).standard_normal(49) all numbers that the paper prints are reproduced.
func Easy() *Toy {
	t := mustRandom("easy", 2)
	t.Description = "EASY RANDOM of Grosse et al. (2016): sigma = 2, modes between which chains move easily"
	t.Printed = []Printed{
		{"J", 100, "0.13", paperSource},
		{"J", 1000, "0.00518", paperSource},
		{"B", 1000, "0.0705", paperSource},
	}
	return t
}

// Hard returns HARD RANDOM, g = 10 z on 7x7 with the z of Easy.
func Hard() *Toy {
	t := mustRandom("hard", 10)
	t.Description = "HARD RANDOM of Grosse et al. (2016): sigma = 10, modes far apart"
	t.Printed = []Printed{
		{"J", 100, "4.73", paperSource},
		{"J", 1000, "1.840", paperSource},
		{"B", 1000, "2.309", paperSource},
		{"relative_error", 1000, "26%", paperSource},
	}
	return t
}

func mustRandom(name string, sigma float64) *Toy {
	t, err := Random(sigma, 0, grid.MustNew(7, 7))
	if err != nil {
		panic(err)
	}
	t.Name = name
	return t
}

// Random returns g = sigma z, with z the first values of NumPy's RandomState(seed).standard_normal,
// in the order of the states, which on a grid is row-major. Sigma is finite and not negative.
func Random(sigma float64, seed uint32, space grid.Graph) (*Toy, error) {
	if err := checkSigma(sigma); err != nil {
		return nil, fmt.Errorf("toy random: %w", err)
	}
	name := fmt.Sprintf("random:%v:%d", sigma, seed)
	if size := space.String(); size != "7x7" {
		name += ":" + size
	}
	g, err := randomG(sigma, seed, space.States())
	if err != nil {
		return nil, fmt.Errorf("toy %s: %w", name, err)
	}
	return &Toy{Name: name, Description: describeRandom(sigma, seed), Space: space, G: g}, nil
}

func checkSigma(sigma float64) error {
	if !(sigma >= 0) || math.IsInf(sigma, 1) {
		return errs.New("sigma %v; it must be finite and not negative", sigma)
	}
	return nil
}

// randomG returns sigma z for n states. It fails as Random does, and leaves it to the caller to
// name the toy.
func randomG(sigma float64, seed uint32, n int) ([]float64, error) {
	if err := checkSigma(sigma); err != nil {
		return nil, err
	}
	g := StandardNormal(seed, n)
	for x := range g {
		g[x] *= sigma
		if math.IsInf(g[x], 0) {
			return nil, errors.New("sigma is so large that g overflows")
		}
	}
	return g, nil
}

func describeRandom(sigma float64, seed uint32) string {
	return fmt.Sprintf("g = %v z, z from NumPy's RandomState(%d).standard_normal", sigma, seed)
}

// StandardNormal returns the first n values of NumPy's legacy stream
// RandomState(seed).standard_normal: MT19937 seeded by init_genrand, 53-bit uniforms, Marsaglia's
// polar method. The second value of each pair is returned first, as NumPy does.
//
// Source: NumPy's legacy-distributions.c (legacy_gauss); Matsumoto and Nishimura 1998.
func StandardNormal(seed uint32, n int) []float64 {
	src := prng.NewMT19937()
	src.Seed(uint64(seed))
	uniform := func() float64 { // a uniform number on [-1, 1)
		a, b := src.Uint32()>>5, src.Uint32()>>6
		return 2*((float64(a)*(1<<26)+float64(b))/(1<<53)) - 1
	}
	z := make([]float64, 0, n+1)
	for len(z) < n {
		x1, x2 := uniform(), uniform()
		// the conversions forbid a fused multiply-add, whose bits would differ by machine
		r2 := float64(x1*x1) + float64(x2*x2)
		if r2 >= 1 || r2 == 0 {
			continue
		}
		f := math.Sqrt(-2 * number.Log(r2) / r2)
		z = append(z, f*x2, f*x1)
	}
	return z[:n]
}

// otherSizes ends the error for arguments of the paper's random targets, which take none.
const otherSizes = "; other sizes and seeds are random:SIGMA:SEED:DIMS"

// paperForm returns the form of one of the paper's random targets.
func paperForm(name string, toy func() *Toy) func() toyForm {
	return func() toyForm {
		return toyForm{
			Syntax:  name,
			Doc:     strings.ToUpper(name) + " RANDOM of Grosse et al. (2016)",
			Source:  paperSource,
			Example: name,
			Instead: otherSizes,
			Parse:   func(selector.Args, Forms) (*Toy, error) { return toy(), nil },
		}
	}
}

func randomForm() toyForm {
	return toyForm{
		Syntax:  "random:SIGMA:SEED[:DIMS]",
		Doc:     "g = SIGMA z, z standard normal numbers of NumPy's generator; DIMS 7x7",
		Example: "random:2:0:5x5",
		Parse:   parseRandom,
	}
}

func parseRandom(args selector.Args, _ Forms) (*Toy, error) {
	parts := strings.Split(args.Text, ":")
	if len(parts) != 2 && len(parts) != 3 {
		return nil, args.Errorf("write random:SIGMA:SEED or random:SIGMA:SEED:DIMS, as in random:2:0:7x7")
	}
	sigma, seed, err := sigmaAndSeed(args, parts[0], parts[1])
	if err != nil {
		return nil, err
	}
	space := grid.MustNew(7, 7)
	if len(parts) == 3 {
		space, err = grid.Parse(parts[2])
		if err != nil {
			return nil, args.Wrap(err)
		}
	}
	return Random(sigma, seed, space)
}

// sigmaAndSeed reads the numbers of a random g.
func sigmaAndSeed(args selector.Args, sigmaText, seedText string) (sigma float64, seed uint32, err error) {
	sigma, err = selector.ParseNumber(sigmaText)
	if err != nil {
		return 0, 0, args.Errorf("sigma: %w", err)
	}
	v, err := strconv.ParseUint(seedText, 10, 32)
	if err != nil {
		return 0, 0, args.Errorf("seed %q is not a whole number from 0 to 4294967295", seedText)
	}
	return sigma, uint32(v), nil
}
