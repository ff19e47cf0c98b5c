package subject_test

import (
	"math"
	"testing"

	"breadboard/chains/numpy"
	"breadboard/experiments/forms"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
)

// TestLawsInFilesAreOnTheSpace: a distribution in a file has the shape of the toy, but for axes of
// length one; as many numbers in another shape are refused.
func TestLawsInFilesAreOnTheSpace(t *testing.T) {
	toy := longtest.Must(forms.All().Parse("random:1:0:2x3"))(t)
	half := math.Log(0.5)
	logf := []float64{half, 0, 0, half, half, half} // 1/2 or 1 of a total of 4
	for _, c := range []struct {
		shape []int
		fits  bool
	}{{[]int{2, 3}, true}, {[]int{2, 3, 1}, true}, {[]int{1, 2, 3}, true}, {[]int{6}, false},
		{[]int{3, 2}, false}, {[]int{6, 1}, false}} {
		path := longtest.File(t, "law.npy", string(numpy.Floats(logf, c.shape...)))
		law, err := subject.ParseLaw(subject.LawForms(), "file:"+path, subject.Ends{Toy: toy})
		if !c.fits {
			longtest.Refused(t, err, "and the toy random:1:0:2x3 is on 2x3; they must be on one space")
			continue
		}
		if err != nil || math.Abs(law[0]-0.125) > 1e-15 || math.Abs(law[1]-0.25) > 1e-15 {
			t.Errorf("%v: %v, %v", c.shape, law, err)
		}
	}
}
