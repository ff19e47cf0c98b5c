package particle_test
import ("testing";"context";"time";sampler "breadboard/chains/particle";"breadboard/exact/particle";"breadboard/toys/models")
func TestTimeG(t *testing.T){
 for _,c:=range []struct{p sampler.Proposal;n int}{{sampler.Prior,10},{sampler.Optimal,2},{sampler.Optimal,10},{sampler.Prior,30},{sampler.Prior,100}} {
  f,_:=sampler.NewHidden(models.HMM(),c.p)
  s:=time.Now(); l,err:=particle.NewFilter(context.Background(),f,c.n,0); a:=time.Since(s)
  if err!=nil{t.Fatal(err)}
  s=time.Now(); _,err=l.Traces(context.Background(),[]int{10}); t.Log(c.p,c.n,a,time.Since(s),err)
 }
}
