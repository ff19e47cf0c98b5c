package diagnostics_test

import (
	"fmt"
	"math"
	"testing"

	"breadboard/chains/diagnostics"
)

// digits returns chains whose draws are the digits of texts.
func digits(texts []string) diagnostics.Draws {
	d := make(diagnostics.Draws, len(texts))
	for k, text := range texts {
		for _, c := range text {
			d[k] = append(d[k], float64(c-'0'))
		}
	}
	return d
}

// value returns a function that reports if a result is not what it should be, to a relative error
// of 1e-11.
func value(t *testing.T, where string) func(what string, got float64, err error, want float64) {
	return func(what string, got float64, err error, want float64) {
		t.Helper()
		if none := math.IsNaN(want) && math.IsNaN(got); err != nil ||
			!none && !(math.Abs(got-want) <= 1e-11*math.Abs(want)) {
			t.Errorf("%s: %s is %v (error %v), want %v", where, what, got, err, want)
		}
	}
}

// TestReferenceDraws: every diagnostic of four sets of draws (a chain that is stuck, one that moves
// by leaps, a single one, and fair coins), as a program independent of this one computed them. R's
// package posterior 1.4.0 gives the same ESS, R-hat and MCSE, and like this package no tail ESS if
// no draw is above the 95% quantile, as in all but the second.
func TestReferenceDraws(t *testing.T) {
	all := ofDraws()
	all["MCSEMean"], all["MCSESD"] = diagnostics.MCSEMean, diagnostics.MCSESD
	all["mean"] = func(d diagnostics.Draws) (float64, error) {
		mean, _, err := diagnostics.Moments(d)
		return mean, err
	}
	all["sd"] = func(d diagnostics.Draws) (float64, error) {
		_, sd, err := diagnostics.Moments(d)
		return sd, err
	}
	for _, c := range []struct {
		draws              []string
		batchMeans, geweke []float64
		want               map[string]float64
	}{
		{
			[]string{
				"5566656555656655444556665444444554444444",
				"2211111112221101122222222211001110000010",
				"2222222221122111111112221112211012221222",
				"6654444444455444445566655665445456666666",
			},
			[]float64{13.470483005366734, 14.544962080173349, 23.028846153846157, 15.862068965517249},
			[]float64{2.1005399030081175, 1.1050147014950522, 2.9709267692036203, -0.2970979692445318},
			map[string]float64{
				"ESS": 2.528963813640121, "ESSMean": 5.634428683595837, "ESSBulk": 6.468069772118599,
				"ESSTail": math.NaN(),
				"RHat":    2.9090460575153125, "RHatSplit": 2.98689257082949, "RHatRank": 2.0958560246148794,
				"mean": 3.1124999999999998, "sd": 1.9489958711245075, "MCSEMean": 0.821080949645692,
				"MCSESD": 0.15444590009987971,
			},
		},
		{
			[]string{
				"202101210002441200221011501112111221541221122412201510021111",
				"242222110041001221120102110212025112010420220025201210021202",
			},
			[]float64{82.37811825483885, 56.10546139359698},
			[]float64{-1.3807227609884527, 2.0659619721320297},
			map[string]float64{
				"ESS": 107.1469241187879, "ESSMean": 109.4400352814708, "ESSBulk": 112.4146953016195,
				"ESSTail": 113.35835882927398,
				"RHat":    0.9937726997645064, "RHatSplit": 0.9918949966648496,
				"RHatRank": 0.9959524541848971,
				"mean":     1.425, "sd": 1.2613351602784335, "MCSEMean": 0.1205708686700792,
				"MCSESD": 0.096399433616555036,
			},
		},
		{
			[]string{"3222211122122222222222221123333222222222222222222222211011001233322111001011222233343332234444432222"},
			[]float64{18.835321751668648},
			[]float64{-0.40697150365856166},
			map[string]float64{
				"ESS": 17.048033623187962, "ESSMean": 18.02566069292003, "ESSBulk": 18.48650774971918,
				"ESSTail":   math.NaN(),
				"RHatSplit": 0.9900717322852863, "RHatRank": 1.281833141243782, "mean": 1.99,
				"sd": 0.90447819657568751, "MCSEMean": 0.2130357582375598, "MCSESD": 0.26953735190762046,
			},
		},
		{
			[]string{
				"1111010011100011101001001101000010111010",
				"1011111101111011010011110001001001011110",
				"0110011000000100111110111000111010010111",
				"0010011111101010111110000011110101101000",
			},
			[]float64{63.50132625994694, 25.4524886877828, 38.365384615384606, 55.384615384615394},
			[]float64{5.496617839825303, 0.5824515720895238, -0.2598300457659746, -0.5824515720895239},
			map[string]float64{
				"ESS": 159.0641617817763, "ESSMean": 168.4311296991019, "ESSBulk": 168.43112969910183,
				"ESSTail": math.NaN(),
				"RHat":    0.991920837113559, "RHatSplit": 0.9941035671727032, "RHatRank": 0.9941035671727033,
				"mean": 0.55625, "sd": 0.49838575900588716, "MCSEMean": 0.038402053066269017,
				"MCSESD": 0.0043342239338586552,
			},
		},
	} {
		d := digits(c.draws)
		is := value(t, c.draws[0][:10])
		for name, want := range c.want {
			got, err := all[name](d)
			is(name, got, err, want)
		}
		for k, x := range d {
			got, err := diagnostics.BatchMeans(x)
			is("ESS by batch means", got, err, c.batchMeans[k])
			got, err = diagnostics.Geweke(x)
			is("Geweke's z", got, err, c.geweke[k])
		}
	}
}

// Two chains that have stayed in different places: few effective draws, and an R-hat far above one.
func Example_diagnostics() {
	draws := diagnostics.Draws{
		{5, 5, 6, 6, 6, 5, 6, 5, 5, 5, 6, 5, 6, 6, 5, 5, 4, 4, 4, 5},
		{2, 2, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 0, 1, 1, 2, 2, 2},
	}
	order, err := diagnostics.Order(draws)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("ESS %.1f of 40, R-hat %.2f\n", order.ESSBulk(), order.RHatRank())
	// Output: ESS 4.4 of 40, R-hat 2.01
}

// An effective sample size of 400 beside errors like those of two draws.
func Example_essd() {
	low, high := diagnostics.Region(8, 0.95)
	fmt.Printf("%.1f standard deviations; RESS of 8 good chains is from %.2f to %.2f of the ESS\n",
		diagnostics.ESSD(400, 2, 8), low, high)
	// Output: 39.4 standard deviations; RESS of 8 good chains is from 0.46 to 3.67 of the ESS
}
