import type { LanguageWords } from "./language-words.ts";

/** Function words of the languages whose relatives are few here: Finnish, Hungarian, Turkish, Greek, Vietnamese, Indonesian. */
export const OTHERS: Readonly<Record<"fi" | "hu" | "tr" | "el" | "vi" | "id", LanguageWords>> = {
  fi: {
    asking:
      "kuka ketkä kenen kenet ketä kenelle keneltä mikä mitkä minkä mitä missä mistä mihin millä miltä mille miksi " +
      "millainen minkälainen kumpi milloin koska montako kuinka miten monta moni",
    others:
      "ei eivät en enemmän ennen entä että he heidän heille heissä heistä heitä hän hänelle hänen hänessä hänestä hänet " +
      "häntä ilman itse ja jo joiden johon johonka joihin joissa joista joita joka jokainen jonka jos joskus jossa josta " +
      "jota jotka jotta jälkeen kaikki kanssa kautta keskellä kuin kun kuten kyllä lisäksi me meidän meille meitä minun " +
      "minulle minä minua mukaan mutta muu muut myös myöten ne niiden niihin niin niissä niistä niitä noin nuo nyt näiden " +
      "näin näissä näistä nämä näitä ole olemme olen olet olette oli olivat olisi olisivat olla olleet ollut on ovat " +
      "paljon pitkin pitää poikki saa saada se sekä sen siellä siihen siinä siis siitä sinun sinä sinulle sitten sitä " +
      "suhteen sekä tai taas te teidän teille tuo tuon tämä tämän tässä tästä tätä tähän vaan vai vaikka vain varten vastaan " +
      "vielä voi voida voidaan voin voivat yli",
  },
  hu: {
    asking:
      "ki kik kit kinek kivel kié mi mik mit minek mivel miből mire mely melyik melyiket milyen miféle mikor hol hova " +
      "hová honnan hogyan hogy miért mennyi mennyit hány hányan hányadik meddig",
    others:
      "a abban ahhoz ahol aki akik akkor alatt által általában amely amelyek amelyet amelynek ami amikor amit annak " +
      "arra azok azon azonban azt aztán az azért be belül benne csak de e ebben egy egyes egyéb egyik együtt ekkor el elég " +
      "előtt én ennek erre és ez ezek ezen ezért ezt ezzel fel felé ha hanem hát hiszen igen így ill illetve is itt jó " +
      "jobban kell kellett keresztül ki kívül között közül le legyen lehet lesz lett ma maga már más meg mert mindegyik minden " +
      "mindent mint mivel nagyon ne neki nekem nélkül nem nincs ő ők őket össze olyan ott pedig persze s saját sem semmi " +
      "sok során szemben szerint számára talán tehát te ti többet több tovább újra úgy után utána vagy vagyis vagyok való " +
      "valaki valami van vannak vele viszont volt voltak volna ön",
  },
  tr: {
    asking:
      "kim kimi kime kimin kimler kimden kiminle ne neyi neye neden niçin niye nedir neler nelerdir nerede nereye " +
      "nereden neresi neresidir nerededir hangi hangisi hangisidir hangileri hangisini nasıl nasıldır kaç kaçı kaçıncı kaçta kaçtır " +
      "kimdir kimlerdir ne zaman mı mi mu mü mıdır midir mudur müdür mıyım miyim musun müsün misin mısın mıyız miyiz",
    others:
      "acaba ama ancak aslında ayrıca az bana bazı belki ben benden beni benim beri bile bir biraz birçok biri birkaç birlikte biz " +
      "bize bizi bizim böyle bu buna bunda bundan bunlar bunları bunların bunu bunun burada bütün çok çünkü da daha dahi " +
      "de değil değildir diğer diye dolayı en eğer fakat gibi göre hem henüz hep hepsi her herhangi herkes hiç hiçbir için içinde iken " +
      "ile ilgili ise işte itibaren kadar karşı kendi kendine kendini kendisi ki kimse lazım lütfen madem nin nın nun " +
      "nün o olan olarak oldu olduğu olduğunu olmak olması olmuştur olur ona ondan onlar onlara onlardan onları onların onu onun orada " +
      "oysa öyle önce pek rağmen sadece sanki sen senden seni senin siz sizden size sizi sizin sonra şey şeyi şeyler şu " +
      "şuna şunu şunun tarafından tüm üzere üzerinde var vardır vardı veya ve ya yani yok yoksa yine zaten idi olup edilen eden " +
      "edilir edildi etmek etti eder nda nde ndan nden ta te tan ten dan den a e i ı u ü ya ye yı yi yu yü",
  },
  el: {
    asking:
      "ποιος ποια ποιο ποιοι ποιες ποιων ποιον ποιους ποιου ποιας τι πότε πού πώς γιατί πόσο πόση πόσα πόσοι πόσες πόσος πόσων",
    others:
      "ο η το οι τα του της των τον την τους τις στο στη στην στον στα στους στις στου σε από για με και κι να θα δεν μη " +
      "μην που πως ότι όπως όταν όσο όσα αν εάν αλλά ή είτε ούτε ως προς κατά μετά μεταξύ παρά χωρίς πριν πάνω κάτω μέσα " +
      "έξω είναι ήταν είμαι είσαι έχει έχουν είχε είχαν έχω μπορεί μπορώ μπορούν πρέπει υπάρχει υπάρχουν εγώ εσύ αυτός " +
      "αυτή αυτό αυτοί αυτές αυτά αυτού αυτής αυτών αυτόν αυτήν αυτούς εμείς εσείς μας σας μου σου τους εκείνος εκείνη " +
      "εκείνο όλα όλοι όλες όλο κάθε κάποιος κάποια κάποιο ένας μια μία ένα ενός μιας έναν άλλος άλλη άλλο άλλα πολύ πιο " +
      "επίσης ακόμα ακόμη μόνο ήδη έτσι όμως λοιπόν επειδή ενώ ώστε στ απ έως μέχρι υπό περί διότι τότε εδώ εκεί οποίος οποία οποίο οποίοι οποίες",
  },
  vi: {
    asking: "ai gì nào đâu sao mấy thế bao nhiêu khi vì tại",
    others:
      "à ấy anh bạn bị bởi các cái cần càng chỉ chiếc cho chứ chưa chúng có cô con còn của cũng cùng cứ dù do đã đang để đến đều " +
      "điều được đó em gần hay hãy hết hơn họ hoặc khác không kể là lại làm lên lúc luôn mà mình mỗi một mọi " +
      "nếu này nên ngay như nhưng những nó ở phải qua ra rằng rất rồi sẽ sau tất tôi tới thì theo thể trên trong trước từ từng " +
      "và vào vẫn về vậy với vừa xuống ông bà",
  },
  id: {
    asking:
      "siapa siapakah apa apakah apaan yang mana manakah kapan kapankah dimana kemana darimana bagaimana bagaimanakah mengapa kenapa berapa berapakah",
    others:
      "ada adalah akan agar aku anda antara atas atau bagi bahwa banyak beberapa begitu belum bisa boleh bukan dalam dan " +
      "dapat dari daripada dengan di dia dulu hal hanya harus hingga ia ialah ini itu jadi jika juga kalau kami kamu karena " +
      "ke kepada kita lagi lain lalu lebih maka masih mereka meskipun namun nya oleh pada para pernah pun saat saja sambil " +
      "sampai sangat saya se sebagai sebelum sebuah sedang sedangkan sehingga sejak selama selain semua seperti serta " +
      "sesuatu setelah setiap sudah supaya tanpa telah tentang terhadap tersebut tetapi tidak tolong untuk walaupun ya yaitu",
  },
};
