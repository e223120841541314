import{b as K}from"./chunk-OOJM4CTU.js";var E,us,Er,X,et,Ne,ps,Re,ds,st,tt,Cr,xe=Symbol.for("pv"),Le={},Be=[],kr=/^m(i|n|o|s|text|space)$/,rt=Array.isArray,ot=Be.slice,ae=Object.assign;function ne(e){e&&e.parentNode&&e.remove()}function hs(e,t,s){var r,i,o,c={},a=arguments.length;for(o in t)o=="key"?r=t[o]:o=="ref"&&typeof e!="function"?i=t[o]:c[o]=t[o];return a>2&&(c.children=a>3?ot.call(arguments,2):s),ve(e,c,r,i,null)}function ve(e,t,s,r,i){var o={type:e,props:t,key:s,ref:r,__k:null,__:null,__b:0,__e:null,__c:null,constructor:xe,__v:i||++us,__i:-1,__u:0};return!i&&E.vnode&&E.vnode(o),o}function De(e){return e.children}function ce(e,t){this.props=e,this.context=t,this.__g=0}function Q(e,t){if(t==null)return e.__&&Q(e.__,e.__i+1);for(var s;t<e.__k.length;t++)if((s=e.__k[t])&&s.__e)return s.__e;return typeof e.type!="function"||e.props.__P?null:Q(e)}function jr(e){var t,s=e.__v,r=s.__e,i=[],o=[],c=e.__P;c&&((t=ae({constructor:xe},s)).__v=s.__v+1,E.vnode&&E.vnode(t),it(c,t,s,e.__n,c.namespaceURI,32&s.__u?[r]:null,i,r||Q(s),32&s.__u,o),t.__v=s.__v,t.__.__k[t.__i]=t,ys(i,t,o),s.__=s.__e=null,t.__e!=r&&ms(t))}function ms(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),ms(e)}function cs(e){(8&e.__g||(e.__g|=8,X.push(e),Ne++))&&et==E.debounceRendering||((et=E.debounceRendering)||queueMicrotask)(fs)}function fs(){try{for(var e,t=1;X.length;)X.length>t&&X.sort(ps),e=X.shift(),t=X.length,8&e.__g&&jr(e)}finally{(Ne=X.length)&&(et||queueMicrotask)(fs)}}function gs(e,t,s,r,i,o,c,a,u,d,l){var m,h,p,f,$,y,g=r.__k||Be,b=t.length;for(u=$r(s,t,g,u,b),m=0;m<b;m++)(p=s.__k[m])!=null&&(h=~p.__i&&g[p.__i]||Le,p.__i=m,y=it(e,p,h,i,o,c,a,u,d,l),f=p.__e,(h.ref!=p.ref||8&h.__u)&&(h.ref&&nt(h.ref,null,p,h),p.ref&&l.push(p.ref,p.__c||f,p)),$=$||f,4&p.__u?(u=ws(p,u,e,!h.__v),h.__e&&(h.__e=null)):typeof p.type=="function"&&y!==void 0?u=y:f&&(u=f.nextSibling),p.__u&=-21);return s.__e=$,u}function $r(e,t,s,r,i){var o,c,a,u,d,l,m,h,p,f=s.length,$=f,y=0,g=0,b=e.__k=Array(i);for(o=0;o<i;o++)(c=t[o])!=null&&typeof c!="boolean"&&typeof c!="function"?(typeof c!="object"||c.constructor===String?c=b[o]=ve(null,c):rt(c)?c=b[o]=ve(De,{children:c}):c.constructor===xe&&c.__b?c=b[o]=ve(c.type,c.props,c.key,c.ref,c.__v):b[o]=c,u=o+y,c.__=e,c.__b=e.__b+1,a=null,~(d=c.__i=Or(c,s,u,$))&&($--,(a=s[d])&&(a.__u|=2)),a&&a.__v?(c.__u|=16,d==u-1?y--:d==u+1?y++:d!=u&&(d>u?y--:y++,g=1)):(~d||(i>f?y--:i<f&&y++),typeof c.type!="function"&&(c.__u|=4))):b[o]=null;if(g){for(l=[],m=[],o=0;o<i;o++)if((c=b[o])&&16&c.__u){for(y=0,h=l.length;y<h;)l[p=y+h>>1]<c.__i?y=p+1:h=p;l[y]=c.__i,m[o]=y+1}for(y=l.length;o--;)m[o]&&(m[o]==y?y--:b[o].__u|=4)}if($)for(o=0;o<f;o++)!(a=s[o])||2&a.__u||(a.__e==r&&(r=Q(a)),at(a,a));return r}function ws(e,t,s,r){var i,o,c,a;if(typeof e.type=="function"){if(e.props.__P)return t;if(i=e.__k)for(o=0;o<i.length;o++)i[o]&&(i[o].__=e,t=ws(i[o],t,s,!1));return t}for(t&&!t.parentNode&&(t=Q(e))&&!t.parentNode&&(t=null),c=e.__e,a=t;a&&a.nodeType==8;)a=a.nextSibling;for(c!=a&&(!r&&s.moveBefore&&c.parentNode?s.moveBefore(c,t):s.insertBefore(c,t||null)),t=c;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function Or(e,t,s,r){var i,o=e.key,c=e.type,a=t[s],u=a&&!(2&a.__u);if(a===null&&o==null||u&&o==a.key&&c==a.type)return s;if(r>(u?1:0)){for(i=s-1;i>=0;i--)if((a=t[i])&&!(2&a.__u)&&o==a.key&&c==a.type)return i;for(i=s+1;i<t.length;i++)if((a=t[i])&&!(2&a.__u)&&o==a.key&&c==a.type)return i}return-1}function ls(e,t,s){s==null&&(s=""),t[0]=="-"?e.setProperty(t,s):e[t]=s}function Ie(e,t,s,r,i){var o,c;if(t=="style")if(typeof s=="string")e.style.cssText=s;else{if(typeof r=="string"&&(e.style.cssText=r=""),r)for(t in r)s&&t in s||ls(e.style,t);if(s)for(t in s)r&&s[t]==r[t]||ls(e.style,t,s[t])}else if(t[0]=="o"&&t[1]=="n")typeof s!="function"&&(s=null),typeof r!="function"&&(r=null),(e.__e||(e.__e={}))[t]=s,s&&r||(c=tt[t]||(tt[t]=Ar(t)),(e.__a||(e.__a={}))[t]=st,o=t!=(t=t.replace(ds,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),s?e.addEventListener(t,c,o):e.removeEventListener(t,c,o));else{if(i=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=s??"")}catch{}if(typeof s=="function")return;s==null||s===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&s==1?"":s)}}function Ar(e){return function(t){var s=this.__e;if(s){if(s=s[e],t[Re]==null)t[Re]=st++;else if(t[Re]<this.__a[e])return;return s(E.event?E.event(t):t)}}}function it(e,t,s,r,i,o,c,a,u,d){var l,m,h,p,f,$,y,g,b,M,A,Qe,ns,Te,oe,as,G,ie,H=t.type;if(t.constructor!==xe)return null;128&s.__u&&(u=32&s.__u,l=s.__c.__z)&&(t.__u|=u,m=o=[],l.nodeType==8?a=Me(l,o):o.push(l),a=o[0]||a),(l=E.__b)&&l(t);e:if(typeof H=="function"){h=c.length;try{if(g=t.props,b=(l=H.prototype)&&l.render,M=(l=H.contextType)&&r[l.__c],A=l?M?M.props.value:l.__:r,(p=s.__c)?(t.__c=p,2&p.__g&&(p.__g|=1)):(b?t.__c=p=new H(g,A):(t.__c=p=new ce(g,A),p.constructor=H,p.render=Tr),M&&M.sub(p),p.state||(p.state={}),p.__n=r,p.__g|=8,p.__h=[],p.__k=[]),b&&(p.__s||(p.__s=p.state),H.getDerivedStateFromProps&&(p.__s==p.state&&(p.__s=ae({},p.__s)),ae(p.__s,H.getDerivedStateFromProps(g,p.__s)))),f=p.props,$=p.state,p.__v=t,s.__c){if(g!==f&&b&&!H.getDerivedStateFromProps&&p.componentWillReceiveProps&&p.componentWillReceiveProps(g,A),t.__v==s.__v&&!(8&p.__g)||!(4&p.__g)&&p.shouldComponentUpdate&&p.shouldComponentUpdate(g,p.__s,A)===!1){t.__v!=s.__v&&(p.props=g,p.state=p.__s,p.__g&=-9),t.__e=s.__e,t.__k=s.__k,t.__k.some(function(q){q&&(q.__=t)}),Be.push.apply(p.__h,p.__k),p.__k=[],p.__h.length&&c.push(p),a=Q(s);break e}p.componentWillUpdate&&p.componentWillUpdate(g,p.__s,A),b&&p.componentDidUpdate&&p.__h.push(function(){p.componentDidUpdate(f,$,y)})}else b&&!H.getDerivedStateFromProps&&p.componentWillMount&&p.componentWillMount(),b&&p.componentDidMount&&p.__h.push(p.componentDidMount);p.context=A,p.props=g,p.__P=e,p.__g&=-5,Qe=E.__r,ns=b?25:0;do p.__g&=-9,Qe&&Qe(t),l=p.render(p.props,p.state=p.__s,p.context);while(8&p.__g&&++ns<25);b&&(Be.push.apply(p.__h,p.__k),p.__k=[]),p.state=p.__s,p.getChildContext&&(r=ae({},r,p.getChildContext())),b&&s.__c&&p.getSnapshotBeforeUpdate&&(y=p.getSnapshotBeforeUpdate(f,$)),Te=l&&l.type===De&&l.key==null?l.props.children:l,g.__P&&(l=a,i=(e=g.__P).namespaceURI,u=o=null,s.props&&s.props.__P!=e&&(s.__k.some(function(q){q&&at(q,q)}),s.__k=null),a=s.__k?Q(s,0):null),a=gs(e,rt(Te)?Te:[Te],t,s,r,i,o,c,a,u,d),g.__P&&(t.__e=null,a=l),t.__u&=-161,m&&m.some(ne),p.__h.length&&c.push(p),1&p.__g&&(p.__g&=-4)}catch(q){if(c.length=h,t.__v=null,u||o)if(q&&q.then){if(t.__u|=128|u,o){for(~(G=o.indexOf(a||void 0))||(G=o.length);(ie=o[G-1])&&ie.nodeType==8;)G--;for(;G<o.length;G++)if(ie=o[G])if(o[G]=null,oe){if(ie==as)break}else{if(ie.nodeType!=8)break;ie.data.startsWith("$s")&&(as=Me(oe=ie))}}if(!oe){for(;a&&a.nodeType==8&&a.nextSibling;)a=a.nextSibling;oe=a}(l=Me(oe=t.__c.__z||(t.__c.__z=oe)))?(t.__e=oe,a=l):t.__e=a,a=a&&a.nextSibling}else o&&o.some(ne);else t.__e=s.__e;t.__k||(t.__k=s.__k||[]),q&&q.then||_s(t),E.__e(q,t,s)}}else a=t.__e=Pr(s.__e,t,s,r,i,o,c,u,d,e);return(l=E.diffed)&&l(t),a}function Me(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var s=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))s++;else if(e.data.startsWith("/$s")&&!--s)return e}t&&t.push(e)}}function _s(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(_s))}function ys(e,t,s){for(var r=0;r<s.length;)nt(s[r++],s[r++],s[r++]);E.__c&&E.__c(t,e),e.some(function(i){try{e=i.__h,i.__h=[],e.some(function(o){o.call(i)})}catch(o){E.__e(o,i.__v)}})}function Pr(e,t,s,r,i,o,c,a,u,d){var l,m,h,p,f,$,y,g,b=s.props||Le,M=t.props,A=t.type;if(A=="svg"?i="http://www.w3.org/2000/svg":A=="math"?i="http://www.w3.org/1998/Math/MathML":i||(i="http://www.w3.org/1999/xhtml"),o){for(l=0;l<o.length;l++)if((f=o[l])&&(A?f.localName==A:f.nodeType==3)){e=f,o[l]=null;break}}if(!e){if(g=d.ownerDocument||document,!A)return g.createTextNode(M);e=g.createElementNS(i,A,M.is?M:d),a&&(E.__m&&E.__m(t,o),a=!1),o=null}if(A){if(d=A=="template"&&e.content||e,o=A=="textarea"&&M.defaultValue!=null?null:o&&ot.call(d.childNodes),!a&&o)for(b={},l=0;l<e.attributes.length;l++)b[(f=e.attributes[l]).name]=f.value;for(l in b)f=b[l],l=="dangerouslySetInnerHTML"?h=f:l=="children"||l in M||l=="value"&&"defaultValue"in M||l=="checked"&&"defaultChecked"in M||Ie(e,l,null,f,i);for(l in M)f=M[l],l=="children"?p=f:l=="dangerouslySetInnerHTML"?m=f:l=="value"?$=f:l=="checked"?y=f:a&&typeof f!="function"||b[l]===f||Ie(e,l,f,b[l],i);m?(a||h&&(m.__html==h.__html||m.__html==e.innerHTML)||(e.innerHTML=m.__html),t.__k=[]):(h&&(e.textContent=""),(A=="foreignObject"||i=="http://www.w3.org/1998/Math/MathML"&&kr.test(A))&&(i="http://www.w3.org/1999/xhtml"),gs(d,rt(p)?p:[p],t,s,r,i,o,c,o?o[0]:s.__k&&Q(s,0),a,u),o&&o.some(ne)),a&&A!="textarea"||(l="value",A=="progress"&&$==null?e.removeAttribute(l):$==null||$===e[l]&&(A!="progress"||$)||Ie(e,l,$,b[l],i),l="checked",y!=null&&y!=e[l]&&Ie(e,l,y,b[l],i))}else b===M||a&&e.data==M||(e.data=M);return e}function nt(e,t,s,r){try{typeof e=="function"?t?t.__x=e(t)||1:r&&(r=r.__c||r.__e)&&(t=r.__x)&&(r.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(i){E.__e(i,s)}}function at(e,t,s){var r,i,o,c;if(E.unmount&&E.unmount(e),!(r=e.ref)||r.current&&r.current!=e.__e||nt(r,null,t,e),r=e.__c){if(r.componentWillUnmount)try{r.componentWillUnmount()}catch(a){E.__e(a,t)}r.__P=r.__n=null}if(r=e.__k)for(c=0;c<r.length;c++)r[c]&&at(r[c],t,typeof e.type!="function"||s&&!e.props.__P);!s&&(r=e.__c)&&(r=r.__z)&&(i=Me(r,o=[]))&&(r==e.__e&&o.some(ne),ne(i),ne(r)),s||ne(e.__e),e.__e=e.__c=e.__=null}function Tr(e,t,s){return this.constructor(e,s)}function ct(e,t){var s,r,i,o;E.__&&E.__(e,t),t.nodeType==9&&(t=t.documentElement),r=(s=e&&32&e.__u)?null:t.__k,t.__k=ve(De,{children:[e]}),i=[],o=[],it(t,t.__k,r||Le,Le,t.namespaceURI,r?null:t.firstChild?ot.call(t.childNodes):null,i,r?r.__e:t.firstChild,s,o),ys(i,t.__k,o),t.__k.props.children=null}E={__e:function(e,t,s,r){for(var i,o,c;t=t.__;)if((i=t.__c)&&!(1&i.__g)){i.__g|=4;try{if((c=(o=i.constructor)&&o.getDerivedStateFromError)&&i.setState(o.getDerivedStateFromError(e)),i.componentDidCatch&&(i.componentDidCatch(e,r||{}),c=1),c&&8&i.__g)return void(i.__g|=2)}catch(a){e=a}}throw Ne=0,e}},us=0,Er=function(e){return e!=null&&e.constructor===xe},ce.prototype.setState=function(e,t){var s=this.__s;s&&s!=this.state||(s=this.__s=ae({},this.state)),typeof e=="function"&&(e=e(ae({},s),this.props)),e&&(ae(s,e),this.__v&&(t&&this.__k.push(t),cs(this)))},ce.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),cs(this))},ce.prototype.render=De,X=[],Ne=0,ps=function(e,t){return e.__v.__b-t.__v.__b},Re=Symbol(),ds=/(PointerCapture)$|Capture$/i,st=0,tt={},Cr=0;var vs=function(e,t,s,r){var i;t[0]=0;for(var o=1;o<t.length;o++){var c=t[o++],a=t[o]?(t[0]|=c?1:2,s[t[o++]]):t[++o];c===3?r[0]=a:c===4?r[1]=Object.assign(r[1]||{},a):c===5?(r[1]=r[1]||{})[t[++o]]=a:c===6?r[1][t[++o]]+=a+"":c?(i=e.apply(a,vs(e,a,s,["",null])),r.push(i),a[0]?t[0]|=2:(t[o-2]=0,t[o]=i)):r.push(a)}return r},bs=new Map;function xs(e){var t=bs.get(this);return t||(t=new Map,bs.set(this,t)),(t=vs(this,t.get(e)||(t.set(e,t=(function(s){for(var r,i,o=1,c="",a="",u=[0],d=function(h){o===1&&(h||(c=c.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?u.push(0,h,c):o===3&&(h||c)?(u.push(3,h,c),o=2):o===2&&c==="..."&&h?u.push(4,h,0):o===2&&c&&!h?u.push(5,0,!0,c):o>=5&&((c||!h&&o===5)&&(u.push(o,0,c,i),o=6),h&&(u.push(o,h,0,i),o=6)),c=""},l=0;l<s.length;l++){l&&(o===1&&d(),d(l));for(var m=0;m<s[l].length;m++)r=s[l][m],o===1?r==="<"?(d(),u=[u],o=3):c+=r:o===4?c==="--"&&r===">"?(o=1,c=""):c=r+c[0]:a?r===a?a="":c+=r:r==='"'||r==="'"?a=r:r===">"?(d(),o=1):o&&(r==="="?(o=5,i=c,c=""):r==="/"&&(o<5||s[l][m+1]===">")?(d(),o===3&&(u=u[0]),o=u,(u=u[0]).push(2,0,o),o=0):r===" "||r==="	"||r===`
`||r==="\r"?(d(),o=2):c+=r),o===3&&c==="!--"&&(o=4,u=u[0])}return d(),u})(e)),t),arguments,[])).length>1?t:t[0]}var de,N,lt,Ss,ut=Object.is,Ee=0,Ts=[],pt=[],I=E,Es=I.__b,Cs=I.__r,ks=I.diffed,js=I.__c,$s=I.unmount,Os=I.__;function ze(e,t){I.__h&&I.__h(N,e,Ee||t),Ee=0;var s=N.__H||(N.__H={__:[],__h:[]});return e>=s.__.length&&s.__.push({}),s.__[e]}function w(e){return Ee=1,Ir(Is,e)}function Ir(e,t,s){var r=ze(de++,2);if(r.t=e,!r.__c&&(r.__=[s?s(t):Is(void 0,t),function(o){var c=(r.__N||r.__)[0],a=r.t(c,o);ut(c,a)||(r.__N=[a,r.__[1]],r.__c.setState({}))}],r.__c=N,!N.__f)){N.__f=!0;var i=N.shouldComponentUpdate;N.shouldComponentUpdate=function(o,c,a){var u=this.__H;if(!u)return!0;var d=!1,l=this.props!=o;if(u.__.some(function(h){h.__N&&(d=!0,ut(h.__[0],h.__N[0])||(l=!0))}),i){var m=i.call(this,o,c,a);return d?m||l:m}return!d||l}}return r.__}function x(e,t){var s=ze(de++,3);!I.__s&&ht(s.__H,t)&&(s.__P=!0,s.__=e,s.u=t,N.__H.__h.push(s))}function Ce(e,t){var s=ze(de++,4);!I.__s&&ht(s.__H,t)&&(s.__P=!1,s.__=e,s.u=t,N.__h.push(s))}function k(e){return Ee=5,ke(function(){return{current:e}},[])}function ke(e,t){var s=ze(de++,7);return ht(s.__H,t)&&(s.__=e(),s.__H=t),s.__}function Fe(e,t){return Ee=8,ke(function(){return e},t)}function Rr(){var e;do{for(;e=pt.shift();)try{Se(e)}catch(s){I.__e(s,{__:(e=e.__P)&&e.__v})}for(;e=Ts.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(Se),t.__h.some(dt),t.__h=[]}catch(s){t.__h=[],I.__e(s,e.__v)}}}while(pt.length)}I.__b=function(e){N=null,Es&&Es(e)},I.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),Os&&Os(e,t)},I.__r=function(e){Cs&&Cs(e),de=0;var t=(N=e.__c).__H;t&&(lt==N?N.__h=[]:(t.__h.some(Se),t.__h.some(dt),de=0),t.__h=[],t.__.some(function(s){s.__N&&(s.__=s.__N),s.u=s.__N=void 0})),lt=N},I.diffed=function(e){ks&&ks(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&Ps(Ts.push(t)),t.__H.__.some(function(s){s.u&&(s.__H=s.u)})),lt=N=null},I.__c=function(e,t){t.some(function(s){try{s.__h.some(Se),s.__h=s.__h.filter(function(r){return!r.__||dt(r)})}catch(r){s.__h=[function(){throw r}]}}),js&&js(e,t)},I.unmount=function(e){$s&&$s(e);var t,s,r=e.__c;r&&r.__H&&(r.__H.__.some(function(i){try{if(i.__P&&i.__c){if(s===void 0){for(s=e.__;s&&(!s.__c||!s.__c.__P);)s=s.__;s=s&&s.__c}i.__P=s,Ps(pt.push(i))}else Se(i)}catch(o){t=o}}),r.__H=void 0,t&&I.__e(t,r.__v))};var As=typeof requestAnimationFrame=="function";function Mr(e){var t,s=function(){clearTimeout(r),As&&cancelAnimationFrame(t),setTimeout(e)},r=setTimeout(s,35);As&&(t=requestAnimationFrame(s))}function Ps(e){e!=1&&Ss==I.requestAnimationFrame||((Ss=I.requestAnimationFrame)||Mr)(Rr)}function Se(e){var t=N,s=e.__c;typeof s=="function"&&(e.__c=void 0,s()),N=t}function dt(e){var t=N;e.__c=e.__(),N=t}function ht(e,t){return!e||e.length!=t.length||t.some(function(s,r){return!ut(s,e[r])})}function Is(e,t){return typeof t=="function"?t(e):t}var n=xs.bind(hs);var W=class{#e=new Set;constructor(t){this.value=t}set(t){this.value=t;for(let s of[...this.#e])s(t)}watch(t){return this.#e.add(t),()=>this.#e.delete(t)}};function v(e){let[t,s]=w(e.value);return x(()=>(s(e.value),e.watch(s)),[e]),t}var mt=null;function ft(){let[e,t=""]=location.hash.split("?"),s=new URLSearchParams(t);s.has("key")&&(mt=s.get("key"),s.delete("key"),history.replaceState(null,"",`${e}${s.size?`?${s}`:""}`))}function Rs(){let e=mt;return mt=null,e}var gt=document.querySelector('meta[name="orgctx-key"]'),U=gt&&{name:gt.content,...gt.dataset};ft();var R=new W(wt(location.hash));addEventListener("hashchange",()=>{ft(),R.set(wt(location.hash))});function _(e,t="",s=[],r={}){let i=[e,t,...s].filter(Boolean).map(encodeURIComponent).join("/"),o=Object.entries(r).filter(([,a])=>a!=null&&a!==""),c=new URLSearchParams(o).toString();return`#/${i}${c&&`?${c}`}`}function O(e){let{area:t,view:s,values:r,query:i}=R.value;history.replaceState(null,"",_(t,s,r,{...i,...e})),R.set(wt(location.hash))}function wt(e){let[t,s=""]=e.replace(/^#\/?/,"").split("?"),[r="",i="",...o]=t.split("/").map(_t);return{area:r||(U?"explore":"start"),view:i,values:o,query:Object.fromEntries(new URLSearchParams(s))}}function _t(e){try{return decodeURIComponent(e)}catch{return e}}var yt=await fetch(document.querySelector("link[rel=preload][as=fetch]").href);if(!yt.ok)throw new Error(`service.json: ${yt.status}`);var j=await yt.json();j.baseUrl||=location.origin;for(let e of j.clients)e.configuration=e.configuration.replaceAll(j.exampleUrl,j.baseUrl);var Nr=new Map(j.operations.map(e=>[e.name,e])),Lr=j.operations.map(e=>[new RegExp(`^/api/v1${e.path.replace(/\{\w+\}/g,"([^/]+)")}$`),e]);function le(e){return Nr.get(e)}function Ms(e,t){let s=e.path,r=new URLSearchParams;for(let[o,{path:c}]of Object.entries(e.arguments)){let a=t[o];c?s=s.replace(`{${c}}`,encodeURIComponent(a)):Ls(a)||r.set(o,a)}let i=r.toString();return`/api/v1${s}${i&&`?${i}`}`}function Ns(e,t){let s=Object.entries(e.arguments).filter(([r])=>!Ls(t[r]));return Object.fromEntries(s.map(([r,{type:i}])=>[r,Br(t[r],i)]))}function he(e){if(!e?.startsWith("/api/v1/"))return null;let[t,s=""]=e.split("?");for(let[r,i]of Lr){let o=r.exec(t);if(o)return{operation:i,values:o.slice(1).map(_t),query:new URLSearchParams(s)}}return null}function Ls(e){return e==null||e===""}function Br(e,t){return t==="integer"?Number(e):t==="boolean"?e===!0||e==="true":String(e)}var Dr=60,zr=12,Fr=U?"manual":"follow",fe=null,ue=new Map,Y=new W(U!==null),Ve=new W(null),ge=new W(null),me=new W(0),pe=new W([]);function vt(e){je(),fe=e,Y.set(!0),xt()}function xt(){J("get_context").catch(()=>{})}function je(){fe=null,ue.clear(),Ve.set(null),ge.set(null),pe.set([]),Y.set(!1)}var bt=class extends Error{constructor(t){super(t.body?.error?.message??""),this.exchange=t,this.status=t.status,this.retryAt=Date.now()+1e3*(t.retryAfter??0)}};async function J(e,t={},s=void 0){let r=le(e),i=Ms(r,t),o=ue.get(i),c=fe,a=performance.now(),u={operation:r,args:t,path:i,status:0,milliseconds:0,body:null,etag:null},d;me.set(me.value+1);try{d=await fetch(i.slice(1),{headers:Vr(o),cache:"no-store",redirect:Fr,signal:s}),d.type==="opaqueredirect"&&location.reload(),u.status=d.status,u.body=d.status===304?o.body:await d.json()}catch(l){if(l.name==="AbortError")throw l}finally{me.set(me.value-1)}if(fe!==c)throw new DOMException("The key has changed.","AbortError");if(u.milliseconds=Math.round(performance.now()-a),d&&Ur(u,d),pe.set([u,...pe.value].slice(0,zr)),u.status!==200&&u.status!==304)throw new bt(u);return u.body.data.grantedScopes&&ge.set(u.body.data.grantedScopes),Wr(i,u),u}function Vr(e){return{Accept:"application/json",...fe&&{Authorization:`Bearer ${fe}`},...e&&{"If-None-Match":e.etag}}}function Ur(e,{headers:t}){let s=r=>t.has(r)?Number(t.get(r)):void 0;e.etag=t.get("ETag"),e.requestId=t.get("X-Request-Id"),e.retryAfter=qr(t.get("Retry-After")),t.has("RateLimit-Limit")&&(e.quota={limit:s("RateLimit-Limit"),remaining:s("RateLimit-Remaining"),resetAt:Date.now()+1e3*s("RateLimit-Reset")},Ve.set(e.quota))}function qr(e){return e&&(Number.isNaN(Number(e))?(new Date(e)-Date.now())/1e3:Number(e))}function Wr(e,{etag:t,body:s}){ue.delete(e),ue.set(e,{etag:t,body:s}),ue.size>Dr&&ue.delete(ue.keys().next().value)}var Ue={body:null,error:null,isLoading:!1};function P(e,t){let[s,r]=w({...Ue,isLoading:t!==null}),[i,o]=w(0),c=v(Y),a=t&&JSON.stringify(t);x(()=>{if(a===null||!c)return r(Ue);let d=new AbortController;return r(l=>({...l,error:null,isLoading:!0})),J(e,JSON.parse(a),d.signal).then(({body:l})=>r({...Ue,body:l}),l=>l.name!=="AbortError"&&r({...Ue,error:l})),()=>d.abort()},[e,a,i,c]);let u=Fe(()=>o(d=>d+1),[]);return{...s,retry:u}}function ee(e,t,s){let[r,i]=w({bodies:[],error:null,isLoading:!0,nextArgs:null}),o=k(null),c=JSON.stringify(t),a=Fe(({signal:d},l,m)=>{i({bodies:m,error:null,isLoading:!0,nextArgs:l}),J(e,l,d).then(({body:h})=>i({bodies:[...m,h],error:null,isLoading:!1,nextArgs:s(h,l)}),h=>h.name!=="AbortError"&&i({bodies:m,error:h,isLoading:!1,nextArgs:l}))},[e]);x(()=>(o.current=new AbortController,a(o.current,JSON.parse(c),[]),()=>o.current.abort()),[a,c]);let u=()=>{!r.isLoading&&r.nextArgs&&a(o.current,r.nextArgs,r.bodies)};return{...r,hasMore:r.nextArgs!==null,more:u}}function te(e,t=250){let[s,r]=w(e);return x(()=>{let i=setTimeout(()=>r(e),t);return()=>clearTimeout(i)},[e,t]),s}function we(e){let[t,s]=w({module:null});if(x(()=>{e().then(r=>s({module:r}),r=>s({error:r}))},[]),t.error)throw t.error;return t.module}function Bs(e,t){let s=k(null),r=k(e);return r.current=e,x(()=>{if(!t||!s.current)return;let i=new IntersectionObserver(o=>o.some(c=>c.isIntersecting)&&r.current(),{rootMargin:"400px"});return i.observe(s.current),()=>i.disconnect()}),s}function Ds(e){x(()=>()=>pe.set([]),[e])}var zs=/^octx_[0-9A-Za-z]{40}$/,Fs="This is not an API key. Paste the whole key: octx_ and 40 letters and digits.",St="";function Vs(){let e=()=>{let t=Rs();t!==null&&(St=zs.test(t)?"":Fs,St||vt(t))};e(),R.watch(e)}function _e({onDone:e,action:t="Explore"}){let s=k(null),[r,i]=w(St);return n`<form class="key" onSubmit=${c=>{c.preventDefault();let a=s.current.value.trim();return s.current.value="",zs.test(a)?(i(""),vt(a),e?.()):i(Fs)}} autocomplete="off">
    <label>API key
      <input ref=${s} type="password" autocomplete="off" autocapitalize="off" spellcheck="false" required
        placeholder="octx_…" aria-describedby="key-note" aria-invalid=${r?"true":"false"} />
    </label>
    <button type="submit" class="primary">${t}</button>
    <p id="key-note" class="quiet">${r?n`<span class="error" role="alert">${r}</span>`:"The key stays in the memory of this page until you reload it."}</p>
  </form>`}var Yr=new Intl.DateTimeFormat(void 0,{dateStyle:"medium"}),Jr=new Intl.DateTimeFormat(void 0,{dateStyle:"medium",timeStyle:"short"}),Hr=new Intl.DateTimeFormat(void 0,{timeStyle:"short"}),Kr=new Intl.RelativeTimeFormat(void 0,{numeric:"auto"}),Zr=new Intl.NumberFormat(void 0,{notation:"compact",maximumFractionDigits:1}),Gr=new Intl.NumberFormat(void 0,{maximumFractionDigits:6}),Xr=new Intl.NumberFormat(void 0,{maximumSignificantDigits:3}),Qr=[["year",31557600],["month",2629800],["week",604800],["day",86400],["hour",3600],["minute",60],["second",1]],ye=e=>t=>t==null?"unknown":e(t),F=ye(e=>Yr.format(new Date(e))),Z=ye(e=>Jr.format(new Date(e))),Et=ye(e=>Hr.format(new Date(e))),Ct=ye(e=>Zr.format(e)),L=ye(e=>(e&&Math.abs(e)<.001?Xr:Gr).format(e)),qe=e=>e?Ct(e):"unknown",kt=e=>Math.max(0,(Date.now()-new Date(e))/1e3);function Us(e){let[t,s]=Hs(kt(e));return Kr.format(-s,t)}function qs(e){let[t,s]=Hs(e*1.001);return`${s} ${t}${s===1?"":"s"}`}var $e=ye(e=>{let t=e<1e3?0:Math.min(4,Math.floor(Math.log10(e)/3)),s=e/1e3**t;return`${t&&s<10?s.toFixed(1):Math.round(s)} ${["B","kB","MB","GB","TB"][t]}`});function Ws(e){return`${Math.floor(e/60)}:${String(e%60).padStart(2,"0")}`}var Ys=e=>e.replace(/\B(?=(\d{3})+$)/g," "),Js=e=>e.replaceAll("_"," ");function Hs(e){let[t,s]=Qr.find(([,r])=>e>=r)??["second",1];return[t,Math.floor(e/s)]}var Ks={current:n`<circle cx="8" cy="8" r="5" />`,available:n`<circle cx="8" cy="8" r="5" />`,ready:n`<circle cx="8" cy="8" r="5" />`,stale:n`<path d="M8 2.5 14 13H2Z" />`,collecting:n`<path d="M8 2.5 14 13H2Z" />`,synthetic:n`<path d="M8 2 14 8 8 14 2 8Z" />`,unavailable:n`<path d="M3.5 3.5h9v9h-9Z" />`,error:n`<path d="M3.5 3.5h9v9h-9Z" />`,not_connected:n`<circle class="hollow" cx="8" cy="8" r="4.5" />`},Xs={available:"current",ready:"current",collecting:"stale",error:"unavailable"};function Oe({status:e,...t}){let s=Xs[e]??e;return n`<svg class="shape tone-${s}" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" ...${t}>
    ${Ks[e]??Ks.not_connected}
  </svg>`}function be({status:e}){return n`<span class="status tone-${Xs[e]??e}"><${Oe} status=${e} />${Js(e)}</span>`}function T({at:e,children:t}){return e?n`<time datetime=${e} title=${Z(e)}>${t??Us(e)}</time>`:n`<span class="quiet">never</span>`}var $t=e=>new RegExp(`(${e.replace(/[.*+?^$\{}()|[\]\\]/g,"\\$&")})`,"giu");function V({text:e,term:t}){return t?e.split($t(t)).map((s,r)=>r%2?n`<mark>${s}</mark>`:s):e}function D({meta:e}){let{status:t,updatedAt:s,note:r}=e.freshness;return n`<p class="freshness">
    <${be} status=${t} />
    ${s&&n`<span>updated <${T} at=${s} /></span>`}
    ${r&&n`<span class="quiet" dir="auto">${r}</span>`}
  </p>`}function se({pagination:e,page:t,onPage:s}){if(!e||e.totalPages<=1&&t<=1)return null;let{totalPages:r,total:i,hasNextPage:o}=e;return n`<nav class="pager" aria-label="Pages">
    <button type="button" disabled=${t<=1} onClick=${()=>s(t-1)}>Previous</button>
    <span>Page ${t} of ${Math.max(r,1)} <span class="quiet">· ${i} in all</span></span>
    <button type="button" disabled=${!o} onClick=${()=>s(t+1)}>Next</button>
  </nav>`}function We({text:e,label:t="Copy"}){let[s,r]=w(!1),i=async()=>{await navigator.clipboard.writeText(e),r(!0),setTimeout(r,1600,!1)};return navigator.clipboard?n`<button type="button" class="copy" onClick=${i}>
    <span aria-live="polite">${s?"Copied":t}</span>
  </button>`:null}function Ye({text:e,label:t}){return n`<div class="snippet">
    <pre tabindex="0" role="region" aria-label=${t}><code>${e}</code></pre>
    <${We} text=${e} />
  </div>`}function S(){return n`<p class="loading" role="status">Loading …</p>`}function B({children:e}){return n`<p class="empty">${e}</p>`}function C({error:e,retry:t,isWhole:s}){let{status:r}=e,i=Zs[r]??Zs[r>=500||r===0?503:400],o=e.message.replace(/\s*Retry (in|with) [^.]*\.$/,"");return n`<div class="trouble" role="alert">
    ${s?n`<h1>${i.title}</h1>`:n`<h2>${i.title}</h2>`}
    ${o&&n`<p dir="auto">${o}</p>`}
    ${i.what&&n`<p>${i.what}</p>`}
    <p class="actions">
      ${r===401&&!U&&n`<button type="button" onClick=${je}>Use another key</button>`}
      ${r===429&&n`<${eo} until=${e.retryAt} retry=${t} />`}
      ${(r===0||r>=500)&&n`<button type="button" onClick=${t}>Try again</button>`}
    </p>
    ${e.exchange?.requestId&&n`<p class="quiet">Request <code>${e.exchange.requestId}</code></p>`}
  </div>`}var Zs={0:{title:"The service did not respond",what:"Check that it runs and that you are online, then try again."},400:{title:"Invalid request",what:"Change the parameters; the same request fails again."},401:{title:"This key does not work"},403:{title:"This key may not read this",what:"With more scopes, the key itself stays the same."},404:{title:"Not found"},409:{title:"The stored data does not match"},429:{title:"Too many requests"},503:{title:"The service could not answer",what:"No data is lost."}};function eo({until:e,retry:t}){let[s,r]=w(()=>Gs(e));return x(()=>{let i=setInterval(()=>r(Gs(e)),250);return()=>clearInterval(i)},[e]),n`<button type="button" disabled=${s>0} onClick=${t}>
    ${s>0?`Try again in ${s} s`:"Try again"}
  </button>`}var Gs=e=>Math.max(0,Math.ceil((e-Date.now())/1e3)),jt=new W(null);function Ot(e){jt.set(e)}function z({url:e,children:t}){return n`<button type="button" class="outbound" dir="auto" onClick=${()=>Ot(e)}>${t??e}</button>`}function Qs(){let e=v(jt),t=k(null);x(()=>{e&&t.current.showModal()},[e]);let s=()=>t.current.close(),r=/^(https?|mailto):/i.test(e??"");return n`<dialog ref=${t} aria-labelledby="outbound-title" onClose=${()=>jt.set(null)}>
    <h2 id="outbound-title">This link comes from a source</h2>
    <p>It has not been checked.</p>
    <p class="address" dir="ltr"><code>${e}</code></p>
    <p class="actions">
      ${r&&n`<a class="button" href=${e} target="_blank" rel="noopener noreferrer nofollow" onClick=${s}>Open in a new tab</a>`}
      <${We} text=${e??""} label="Copy address" />
      <button type="button" onClick=${s}>Close</button>
    </p>
  </dialog>`}var Je={curl:{title:"curl",text:so},mcp:{title:"MCP",text:ro},python:{title:"Python",text:oo},json:{title:"JSON",text:({body:e})=>JSON.stringify(e,null,2)}};function He({operations:e}){let t=v(pe),[s,r]=w(null),[i,o]=w("curl");if(x(()=>r(null),[t]),!t.length)return null;let c=({operation:d})=>e.indexOf(d.name),a=s??t.reduce((d,l)=>c(l)>c(d)?l:d),u=()=>J(a.operation.name,a.args).catch(()=>{});return n`<section class="strip" aria-label="The request of this view">
    <details>
      <summary>
        <span class="verb">GET</span> <code class="path">${a.path}</code>
        <${to} exchange=${a} />
      </summary>
      <div class="strip-body">
        ${t.length>1&&n`<label class="field">Request
          <select value=${t.indexOf(a)} onChange=${d=>r(t[d.target.value])}>
            ${t.map((d,l)=>n`<option value=${l}>${d.status} ${d.path}</option>`)}
          </select></label>`}
        <dl class="facts">
          <div><dt>Status</dt><dd>${a.status===304?"304, unchanged":a.status||"no response"}</dd></div>
          <div><dt>Took</dt><dd>${a.milliseconds} ms</dd></div>
          <div><dt>ETag</dt><dd><code>${a.etag??"none"}</code></dd></div>
          <div><dt>Request</dt><dd><code>${a.requestId??"none"}</code></dd></div>
        </dl>
        <div class="tabs">
          ${Object.entries(Je).map(([d,{title:l}])=>n`<button type="button" aria-pressed=${i===d} onClick=${()=>o(d)}>${l}</button>`)}
          <span class="spread"></span>
          <a href=${_("reference",a.operation.name)}>Reference</a>
          <button type="button" class="again" onClick=${u}>Send again</button>
          <${We} text=${Je[i].text(a)} />
        </div>
        <pre tabindex="0" role="region" aria-label=${Je[i].title}><code>${Je[i].text(a)}</code></pre>
      </div>
    </details>
  </section>`}function to({exchange:{status:e,milliseconds:t}}){return n`<span class="outcome" role="status"><span class="tone-${e===200||e===304?"current":"unavailable"}">${e||"no response"}</span> <span class="quiet">${t} ms</span></span>`}function er(){let e=v(Ve),[t,s]=w(Date.now());if(x(()=>{let a=setInterval(()=>s(Date.now()),1e3);return()=>clearInterval(a)},[]),!e)return null;let r=e.resetAt<=t,i=r?e.limit:e.remaining,o=Math.ceil((e.resetAt-t)/1e3),c=r?"A new minute has begun; all requests are left.":`Requests that the key has left in this minute. Resets in ${o} s`;return n`<span class="quota" title=${c}>
    <meter min="0" max=${e.limit} low=${e.limit/5} value=${i} aria-label="Requests left"></meter>
    <span>${i} of ${e.limit}<span class="unit"> requests</span> left</span>
  </span>`}function so({path:e}){return`curl -sS '${tr(e)}' \\
  -H "Authorization: Bearer $${j.variable}"`}function ro({operation:e,args:t}){let s={name:e.name,arguments:Ns(e,t)},r=JSON.stringify({jsonrpc:"2.0",id:1,method:"tools/call",params:s},null,2);return`curl -sS '${j.baseUrl}/api/mcp' \\
  -H "Authorization: Bearer $${j.variable}" \\
  -H 'Content-Type: application/json' \\
  -H 'Accept: application/json, text/event-stream' \\
  --data-binary @- <<'EOF'
${r}
EOF`}function oo({path:e}){return`import json
import os
from urllib.request import Request, urlopen

request = Request(
    "${tr(e)}",
    headers={"Authorization": f"Bearer {os.environ['${j.variable}']}"},
)
with urlopen(request) as response:
    print(json.dumps(json.load(response), indent=2, ensure_ascii=False))`}var tr=e=>`${j.baseUrl}${e.replaceAll("'","%27")}`;var sr="./icon-KB2SD46C.svg";var Mt={};K(Mt,{Activity:()=>Rt,shows:()=>mo});var rr=302400,or=190,no=76,ao=[1,2,5].flatMap(e=>Array.from({length:12},(t,s)=>e*10**s)).sort((e,t)=>e-t),co=new Intl.DateTimeFormat(void 0,{month:"short",day:"numeric"}),Ke=matchMedia("(prefers-color-scheme: dark)");function At({weeks:e,counts:t,unit:s}){return n`<figure class="chart">
    <${uo} weeks=${e} counts=${t} />
    <figcaption><p role="status">${lo(e,t,s)}</p></figcaption>
    <details class="more">
      <summary>As a table</summary>
      <table class="simple">
        <thead><tr><th scope="col">Week from</th><th scope="col">${s}</th></tr></thead>
        <tbody>${e.map(({start:r},i)=>n`<tr><th scope="row">${F(r)}</th>
          <td>${t[i]===null?n`<span class="quiet">not counted</span>`:L(t[i])}</td></tr>`)}</tbody>
      </table>
    </details>
  </figure>`}function lo(e,t,s){let r=t.filter(a=>a!==null);if(!r.length)return"No week is counted.";let i=Math.max(...r),o=L(r.reduce((a,u)=>a+u,0)),c=i?` The most, ${L(i)}, in the week from ${F(e[t.indexOf(i)].start)}.`:"";return`${o} ${s} in ${r.length} ${r.length===1?"week":"weeks"}.${c}`}function uo({weeks:e,counts:t}){let s=k(null),r=we(()=>import("./uplot-FFLBSSUY.js")),i=ho(),o=[e.map(({start:c})=>c/1e3),t];return x(()=>{if(!r)return;let c=s.current,a=new r.uPlot(po(r.uPlot,c),o,c),u=new ResizeObserver(()=>a.setSize({width:c.clientWidth,height:or}));return u.observe(c),()=>{u.disconnect(),a.destroy()}},[r,i,JSON.stringify(o)]),n`<div class="plot" dir="ltr" ref=${s} aria-hidden="true"></div>`}function po(e,t){let s=o=>getComputedStyle(t).getPropertyValue(o),r={stroke:s("--quiet"),font:`13px ${s("--sans")}`,ticks:{show:!1}},i=({width:o,data:[c]})=>c.filter((a,u)=>(c.length-1-u)%Math.ceil(c.length*no/o)===0);return{width:t.clientWidth,height:or,legend:{show:!1},cursor:{show:!1},scales:{x:{range:(o,c,a)=>[c-rr,a+rr]},y:{range:(o,c,a)=>[0,Math.max(4,a*1.1)]}},axes:[{...r,size:34,grid:{show:!1},splits:i,values:(o,c)=>c.map(a=>co.format(1e3*a))},{...r,grid:{stroke:s("--line"),width:1},incrs:ao,values:(o,c)=>c.map(L)}],series:[{},{fill:s("--accent"),stroke:s("--accent"),width:0,points:{show:!1},paths:e.paths.bars({size:[.7,48]})}]}}function ho(){let[e,t]=w(Ke.matches);return x(()=>{let s=()=>t(Ke.matches);return Ke.addEventListener("change",s),()=>Ke.removeEventListener("change",s)},[]),e}function Pt(e,t){let s=new Date(e);s.setHours(0,0,0,0),s.setDate(s.getDate()-(s.getDay()+6)%7);let r=i=>{let o=new Date(s);return o.setDate(o.getDate()+7*i),o};return Array.from({length:t},(i,o)=>({start:r(o-t+1),end:r(o-t+2)}))}function Tt(e,t,s){let r=t.map(i=>new Date(i));return e.map(({start:i,end:o})=>i<s?null:r.filter(c=>c>=i&&c<o).length)}var mo=()=>"messages and mentions per week",nr=12,It=10,ir=100;function Rt(){let e=v(ge),t=s=>!e||le(s).scopes.some(r=>e.includes(r));return n`
    <h1>Activity</h1>
    ${t("list_telegram_messages")&&n`<${fo} />`}
    ${t("list_x_mentions")&&n`<${wo} />`}
    <section aria-labelledby="history">
      <h2 id="history">Freshness</h2>
      <p class="quiet">The API gives the last update of each source and no earlier ones, so there is no history to draw.
        The <a href=${_("explore")}>overview</a> shows how old each source is.</p>
    </section>
  `}function fo(){let{query:e}=v(R),{body:t,error:s,retry:r}=P("list_telegram_chats",{}),i=t?.data.find(o=>o.id===e.chat)??t?.data[0];return n`<section aria-labelledby="messages">
    <h2 id="messages">Messages per week</h2>
    ${s&&n`<${C} error=${s} retry=${r} />`}
    ${!t&&!s&&n`<${S} />`}
    ${t&&!i&&n`<${B}>No linked chat is approved.<//>`}
    ${i&&n`
      <div class="filters"><label class="field wide">Chat
        <select value=${i.id} onChange=${o=>O({chat:o.target.value})}>
          ${t.data.map(({id:o,title:c})=>n`<option value=${o}>${c}</option>`)}
        </select></label></div>
      <${go} key=${i.id} chat=${i} />`}
  </section>`}function go({chat:e}){let[t,s]=w(It),{bodies:r,error:i,isLoading:o,hasMore:c,more:a}=ee("list_telegram_messages",{chatId:e.id,limit:ir},({pagination:p},f)=>p.hasMore?{...f,before:p.nextBefore}:null),u=Pt(e.lastMessageAt??Date.now(),nr),d=r.flatMap(({data:p})=>p.map(({sentAt:f})=>f)),l=new Date(d.at(-1)??Date.now()),m=c&&l>u[0].start,h=m&&!o&&!i&&r.length<t;return x(()=>{h&&a()},[h,r.length]),i?n`<${C} error=${i} retry=${a} />`:o||h?n`<${S} />`:n`
    <${At} weeks=${u} counts=${Tt(u,d,m?l:0)} unit="messages" />
    ${m&&n`<p class="actions"><span class="quiet">The newest ${d.length} messages are counted.</span>
      <button type="button" onClick=${()=>s(r.length+It)}>Count ${It*ir} more</button></p>`}
  `}function wo(){let{body:e,error:t,retry:s}=P("list_x_mentions",{page:1}),r=e?.data[0]?.createdAt;return n`<section aria-labelledby="mentions">
    <h2 id="mentions">Mentions per week</h2>
    ${t&&n`<${C} error=${t} retry=${s} />`}
    ${!e&&!t&&n`<${S} />`}
    ${e&&!r&&n`<${B}>No post is stored.<//>`}
    ${r&&n`<${_o} key=${r} newest=${e} />`}
  </section>`}function _o({newest:{data:e,pagination:t}}){let s=Pt(e[0].createdAt,nr),r=!t.hasNextPage,{counts:i,error:o,retry:c}=yo(r?[]:s,t.total);if(o)return n`<${C} error=${o} retry=${c} />`;let a=r?Tt(s,e.map(({createdAt:u})=>u),0):i;return a?n`<${At} weeks=${s} counts=${a} unit="mentions" />`:n`<${S} />`}function yo(e,t){let[s,r]=w({counts:null,error:null}),[i,o]=w(0);return x(()=>{let c=new AbortController;return bo(e,t,c.signal).then(a=>r({counts:a,error:null}),a=>a.name!=="AbortError"&&r({counts:null,error:a})),()=>c.abort()},[i]),{...s,retry:()=>o(i+1)}}async function bo(e,t,s){let r=e.map(()=>0),i=t;for(let o=e.length-1;o>=0&&i>0;o-=1){let{start:c,end:a}=e[o],u={after:c.toISOString(),before:a.toISOString(),page:1},{body:d}=await J("list_x_mentions",u,s);r[o]=d.pagination.total,i-=r[o]}return r}var Lt={};K(Lt,{Assets:()=>Nt,operations:()=>vo,shows:()=>xo});var vo=["list_assets","read_asset"],xo=({values:[e]})=>e?`the file or folder ${e}`:"the names, sizes and dates of files",So=(e,t)=>e.pagination.hasNextPage?{...t,page:e.pagination.page+1}:null;function Nt({values:e}){return n`
    <h1>Files</h1>
    <p class="quiet">Names, sizes and dates. The contents of files are never served.</p>
    <div class="split">
      <div class="tree"><${ar} isRoot=${!0} chosen=${e[0]} /></div>
      <div class="detail">${e[0]?n`<${Co} id=${e[0]} />`:n`<${B}>Select a file or a folder.<//>`}</div>
    </div>
  `}function ar({id:e,isRoot:t,chosen:s}){let{bodies:r,error:i,isLoading:o,hasMore:c,more:a}=ee("list_assets",{folderId:e},So),u=r.flatMap(d=>d.data);return n`
    ${i&&n`<${C} error=${i} retry=${a} />`}
    ${!o&&!i&&!u.length&&n`<p class="quiet">Empty.</p>`}
    <ul>${u.map(d=>n`<${Eo} key=${d.id} asset=${d} chosen=${s} />`)}</ul>
    ${o&&n`<${S} />`}
    ${c&&!o&&n`<button type="button" class="more" onClick=${a}>Load more</button>`}
    ${t&&r[0]&&n`<${D} meta=${r[0].meta} />`}
  `}function Eo({asset:e,chosen:t}){let[s,r]=w(!1),i=n`<a href=${_("explore","assets",[e.id])} aria-current=${t===e.id?"true":void 0} dir="auto">${e.name}</a>`;return e.kind==="file"?n`<li class="file">${i} <span class="quiet">${$e(e.bytes)}</span>${e.public&&n` <span class="chip">public</span>`}</li>`:n`<li class="folder">
    <button type="button" class="twist" aria-expanded=${s} aria-label=${`Contents of ${e.name}`} onClick=${()=>r(!s)}></button>
    ${i}
    ${s&&n`<${ar} id=${e.id} chosen=${t} />`}
  </li>`}function Co({id:e}){let{body:t,error:s,retry:r}=P("read_asset",{id:e});if(s)return n`<${C} error=${s} retry=${r} />`;if(!t)return n`<${S} />`;let{data:i}=t,o=(c,a)=>n`<div><dt>${c}</dt><dd dir="auto">${a}</dd></div>`;return n`<section class="card" aria-label="Selected">
    <p class="eyebrow">${i.kind}</p>
    <h2 dir="auto">${i.name}</h2>
    <dl class="facts">
      ${i.kind==="file"&&o("Size",`${$e(i.bytes)} (${i.bytes} bytes)`)}
      ${i.mime&&o("Type",i.mime)}
      ${o("Visible",i.public?"to everybody":"to the organization")}
      ${i.publicUrl&&o("Address",n`<${z} url=${i.publicUrl} />`)}
      ${i.uploadedBy&&o("From",i.uploadedBy.displayName??i.uploadedBy.id)}
      ${o("Created",Z(i.createdAt))}
      ${o("Changed",Z(i.updatedAt))}
      ${i.parentId&&o("In",n`<a href=${_("explore","assets",[i.parentId])}>its folder</a>`)}
      ${o("Id",n`<code>${i.id}</code>`)}
    </dl>
    <${D} meta=${t.meta} />
  </section>`}var zt={};K(zt,{Chats:()=>Dt,operations:()=>Bt,queries:()=>jo,shows:()=>ko});var Bt=["list_telegram_chats","list_telegram_messages"],ko=({values:[e],query:{around:t,q:s}})=>e?s?`the messages of a chat that contain “${s}”`:t?`message ${t} of a chat, between its neighbours`:"the messages of a chat":"the linked chats",jo={list_telegram_messages:Oo},$o=2**31-1;function Oo({before:e,...t}){return t.limit==="1"&&e>1?{around:e-1}:{before:e,...t}}function Dt({values:e,query:t}){let{before:s,around:r}=t;return e[0]?n`<${Po} key=${`${e[0]} ${s} ${r}`} id=${e[0]} before=${s} around=${r} />`:n`<${Ao} />`}function Ao(){let{query:e}=v(R),t=Number(e.page??1),{body:s,error:r,retry:i}=P("list_telegram_chats",{page:t});return r?n`<${C} isWhole error=${r} retry=${i} />`:s?n`
    <h1>Chats</h1>
    ${!s.data.length&&n`<${B}>No linked chat is approved.<//>`}
    <ul class="cards">
      ${s.data.map(o=>n`<li class="card" key=${o.id}>
        <p class="eyebrow">${o.type}</p>
        <h2 dir="auto"><a href=${_("explore","chats",[o.id])}>${o.title}</a></h2>
        ${o.username&&n`<p class="quiet" dir="ltr">@${o.username}</p>`}
        <dl class="figures">
          <div><dt>messages</dt><dd>${L(o.trackedMessageCount)}</dd></div>
          <div><dt>members</dt><dd>${qe(o.memberCount)}</dd></div>
          <div><dt>last</dt><dd><${T} at=${o.lastMessageAt} /></dd></div>
        </dl>
        <p class="quiet">Linked ${F(o.linkedAt)}</p>
      </li>`)}
    </ul>
    <${se} pagination=${s.pagination} page=${t} onPage=${o=>O({page:o})} />
    <${D} meta=${s.meta} />
  `:n`<${S} />`}function Po({id:e,before:t,around:s}){let{query:r}=v(R),i=te(r.q??""),c=P("list_telegram_chats",{}).body?.data.find(g=>g.id===e),{bodies:a,error:u,isLoading:d,hasMore:l,more:m}=ee("list_telegram_messages",{chatId:e,q:i,...i?{}:{before:t,around:s}},({pagination:g})=>g.hasMore?{chatId:e,q:i,before:g.nextBefore}:null),h=a.flatMap(g=>g.data).reverse(),p=i?null:Number(s)||null,f=h.some(g=>g.id===p),$=To(h.length),y=g=>_("explore","chats",[e],{around:g});return n`
    <p class="crumb"><a href=${_("explore","chats")}>Chats</a></p>
    <h1 dir="auto">${c?.title??"Conversation"}</h1>
    <form class="filters" role="search" onSubmit=${g=>g.preventDefault()}>
      <label class="field wide">Search in this chat
        <input type="search" maxlength="200" value=${r.q??""} dir="auto" onInput=${g=>O({q:g.target.value})} /></label>
      ${(t||s)&&n`<a class="button" href=${_("explore","chats",[e])}>Newest messages</a>`}
    </form>
    ${u&&n`<${C} error=${u} retry=${m} />`}
    ${a[0]?.pagination.searchLimited&&n`<p class="quiet">Only the newest messages were searched.</p>`}
    ${p&&h.length>0&&!f&&n`<p class="quiet" role="status">Message ${p} is not stored. These are the messages around it.</p>`}
    <div class="conversation" ref=${$} tabindex="0" role="region" aria-label="Messages">
      <p class="older">
        ${d?n`<${S} />`:l?n`<button type="button" class="more" onClick=${m}>Older messages</button>`:n`<span class="quiet">${h.length?"Beginning of the stored messages.":"No message matches."}</span>`}
      </p>
      <ol>${h.map((g,b)=>n`<${Io} key=${g.id} message=${g} previous=${h[b-1]}
        quoted=${h.find(M=>M.id===g.replyToMessageId)} term=${i} isHit=${g.id===p} link=${y} />`)}</ol>
      ${p&&h.at(-1)?.id>p&&n`<p class="older"><a class="button" href=${y(h.at(-1).id)}>Newer messages</a></p>`}
    </div>
    ${a[0]&&n`<${D} meta=${a[0].meta} />`}
  `}function To(e){let t=k(null),s=k(null);return Ce(()=>{let r=t.current;if(!e)return;let i=r.scrollHeight>r.clientHeight,o=i?r:document.scrollingElement,c=i?r:document,a=()=>{s.current=o.scrollHeight-o.clientHeight-o.scrollTop},u=s.current===null&&r.querySelector("[aria-current]");return u?u.scrollIntoView({block:"center"}):o.scrollTop=o.scrollHeight-o.clientHeight-(s.current??0),a(),c.addEventListener("scroll",a,{passive:!0}),()=>c.removeEventListener("scroll",a)},[e]),t}function Io({message:e,previous:t,quoted:s,term:r,isHit:i,link:o}){let{id:c,sender:a,text:u,detail:d,kind:l,file:m,sentAt:h,editedAt:p,replyToMessageId:f}=e,$=!t||F(t.sentAt)!==F(h),y=$||t.sender.name!==a.name;return n`
    ${$&&n`<li class="day">${F(h)}</li>`}
    <li class=${`message${i?" hit":""}`} aria-current=${i?"true":void 0}>
      ${y&&n`<p class="sender" dir="auto">${a.name} ${a.username&&n`<span class="quiet" dir="ltr">@${a.username}</span>`}</p>`}
      <div class="bubble">
        ${f!==null&&n`<p class="quoted" dir="auto"><${Ro} id=${f} quoted=${s} link=${o} /></p>`}
        ${l!=="text"&&n`<p class="attachment" dir="auto"><span class="kind">${l}</span> <${Mo} file=${m} term=${r} /></p>`}
        ${d&&n`<p class="quiet" dir="auto"><${V} text=${d} term=${r} /></p>`}
        ${u&&n`<p class="text" dir="auto"><${V} text=${u} term=${r} /></p>`}
        <p class="when"><a href=${o(c)} aria-label=${`Message ${c}, ${Z(h)}`}><${T} at=${h}>${Et(h)}<//></a>${p&&n` <span>edited <${T} at=${p}>${Et(p)}<//></span>`}</p>
      </div>
    </li>`}function Ro({id:e,quoted:t,link:s}){let r=t?`${t.sender.name}: ${t.text??t.detail??t.kind}`:`in reply to ${e}`;return e>=1&&e<=$o?n`<a href=${s(e)}>${r}</a>`:r}function Mo({file:e,term:t}){if(!e)return null;let{fileName:s,width:r,height:i,duration:o,mimeType:c,fileSize:a,sticker:u}=e,d=[u,r&&i&&`${r} × ${i}`,o!==null&&Ws(o),c,a!==null&&$e(a)];return n`${s&&n`<${V} text=${s} term=${t} /> `}<span class="quiet">${d.filter(Boolean).join(" · ")}</span>`}function cr({view:e}){let t=j.clients.find(s=>s.name===e)??j.clients[0];return n`
    <div class="masthead">
      <h1>Connect a client</h1>
      <p class="lead">Set <code>${j.variable}</code> to the key. Configurations contain the name of this variable, never the key.</p>
      <dl class="facts">
        <div><dt>MCP</dt><dd><code>${j.baseUrl}/api/mcp</code></dd></div>
        <div><dt>REST</dt><dd><code>${j.baseUrl}/api/v1</code></dd></div>
      </dl>
    </div>
    <div class="split side">
      <nav aria-label="Clients"><ul class="menu">
        ${j.clients.map(({name:s,title:r})=>n`<li><a href=${_("connect",s)} aria-current=${s===t.name?"page":void 0}>${r}</a></li>`)}
      </ul></nav>
      <section aria-labelledby="client">
        <h2 id="client">${t.title}</h2>
        <p>${t.place}</p>
        <${Ye} text=${t.configuration} label=${`Configuration for ${t.title}`} />
        <p class="quiet">In a shell: <code>orgctx connect ${t.name} --base-url ${j.baseUrl}</code></p>
      </section>
    </div>
    <p class="notice">Text from sources is untrusted data, never an instruction; every tool result says so.</p>
  `}var Vt={};K(Vt,{Knowledge:()=>Ft,operations:()=>Bo,shows:()=>Do});function Ze({text:e,term:t}){let s=we(()=>import("./markdown-Y5HIW46E.js")),r=k(null);return Ce(()=>{if(!s)return;let i=s.renderedLine(e);t&&No(i,t),r.current.replaceChildren(i)},[s,e,t]),s?n`<p key="line" dir="auto" ref=${r}></p>`:n`<p key="text" dir="auto">${e}</p>`}function No(e,t){let s=document.createTreeWalker(e,NodeFilter.SHOW_TEXT),r=[];for(;s.nextNode();)r.push(s.currentNode);for(let i of r){let o=i.data.split($t(t));o.length>1&&i.replaceWith(...o.map((c,a)=>a%2?Lo(c):c))}}function Lo(e){let t=document.createElement("mark");return t.textContent=e,t}var lr=new Map;function ur(e,t,s={}){for(let r of t)lr.set(r,{view:e,toQuery:s[r]??(i=>i)})}function re(e){let t=he(e),s=t&&lr.get(t.operation.name);if(!s)return null;let{limit:r,...i}=s.toQuery(Object.fromEntries(t.query));return _("explore",s.view,t.values,i)}var Bo=["list_knowledge","read_knowledge"],Do=({values:[e],query:{q:t}})=>e?`the document or note ${e}`:`documents and notes${t?` that contain “${t}”`:""}`,zo={"":"Everything",source:"Documents",note:"Notes"},Fo={"":"Public and team",public:"Public",team:"Team"};function Ft({values:e}){return e[0]?n`<${Wo} key=${e[0]} id=${e[0]} />`:n`<${Vo} />`}function Vo(){let{query:e}=v(R),t=te(e.q??""),s=Number(e.page??1),{kind:r,visibility:i,archived:o}=e,{body:c,error:a,retry:u}=P("list_knowledge",{q:t,kind:r,visibility:i,archived:o,page:s}),d=(l,m)=>n`<select value=${e[l]??""} onChange=${h=>O({[l]:h.target.value,page:""})}>
    ${Object.entries(m).map(([h,p])=>n`<option value=${h}>${p}</option>`)}
  </select>`;return n`
    <h1>Library</h1>
    <form class="filters" role="search" onSubmit=${l=>l.preventDefault()}>
      <label class="field wide">Text
        <input type="search" maxlength="200" value=${e.q??""} dir="auto"
          onInput=${l=>O({q:l.target.value,page:""})} /></label>
      <label class="field">Kind ${d("kind",zo)}</label>
      <label class="field">For ${d("visibility",Fo)}</label>
      <label class="check"><input type="checkbox" checked=${o==="true"}
        onChange=${l=>O({archived:l.target.checked?"true":"",page:""})} /> Archived</label>
    </form>
    ${a&&n`<${C} error=${a} retry=${u} />`}
    ${!c&&!a&&n`<${S} />`}
    ${c&&n`
      ${!c.data.length&&n`<${B}>No document or note matches.<//>`}
      <ol class="results">${c.data.map(l=>n`<${Uo} key=${l.id} item=${l} term=${t} />`)}</ol>
      <${se} pagination=${c.pagination} page=${s} onPage=${l=>O({page:l})} />
      <${D} meta=${c.meta} />`}
  `}function Uo({item:e,term:t}){return n`<li>
    <h2 dir="auto"><a href=${_("explore","knowledge",[e.id])}><${V} text=${e.title} term=${t} /></a></h2>
    <${Ze} text=${e.preview} term=${t} />
    <${pr} item=${e} />
  </li>`}function pr({item:e}){let{source:t,sourceLabel:s,sourceHref:r,sourceStatus:i,visibility:o,archived:c,updatedAt:a}=e;return n`<p class="byline">
    <span class="kind">${t}</span>
    <span dir="auto">${r?n`<${qo} href=${r} label=${s} />`:s}</span>
    <${T} at=${a} />
    ${o==="team"&&n`<span class="chip">team</span>`}
    ${c&&n`<span class="chip">archived</span>`}
    ${i!=="current"&&n`<span class="chip">${i}</span>`}
  </p>`}function qo({href:e,label:t}){let s=re(e);return s?n`<a href=${s}>${t}</a>`:n`<${z} url=${e}>${t}<//>`}function Wo({id:e}){let[t,s]=w(!1),{bodies:r,error:i,isLoading:o,hasMore:c,more:a}=ee("read_knowledge",{id:e},h=>{let{nextOffset:p}=h.data.contentRange;return p===null?null:{id:e,offset:p}}),u=Bs(a,c&&!o&&!i),d=r[0]?.data,l=r.at(-1)?.data.contentRange,m=l&&l.offset+l.length;return n`
    <p class="crumb"><a href=${_("explore","knowledge")}>Library</a></p>
    ${d&&n`
      <article class="document" aria-busy=${o}>
        <header>
          <h1 dir="auto">${d.title}</h1>
          <${pr} item=${d} />
          <div class="reading">
            <meter min="0" max=${l.total||1} value=${l.total?m:1} aria-label="Loaded part"></meter>
            <span class="quiet">${L(m)} of ${L(l.total)}${c?"; scroll to load the rest":""}</span>
            ${d.contentFormat==="markdown"&&n`<span class="segmented" role="group" aria-label="Show as">
              <button type="button" aria-pressed=${!t} onClick=${()=>s(!1)}>Rendered</button>
              <button type="button" aria-pressed=${t} onClick=${()=>s(!0)}>Plain</button>
            </span>`}
          </div>
        </header>
        ${t||d.contentFormat!=="markdown"?n`<div class="plain-text" dir="auto">${r.map(h=>h.data.content).join("")}</div>`:n`<${Yo} bodies=${r} isWhole=${!c} />`}
        <footer class="quiet">Created ${F(d.createdAt)} · <code>${d.id}</code></footer>
      </article>
      <${D} meta=${r[0].meta} />`}
    ${i&&n`<${C} isWhole=${!d} error=${i} retry=${a} />`}
    ${o&&n`<${S} />`}
    <div ref=${u}></div>
  `}function Yo({bodies:e,isWhole:t}){let s=k(null),r=k({count:0,rest:"",env:{}}),i=we(()=>import("./markdown-Y5HIW46E.js"));x(()=>{if(!i)return;let{cut:c,rendered:a}=i,u=r.current;u.tail?.forEach(m=>m.remove()),u.tail=null,u.rest+=e.slice(u.count).map(m=>m.data.content).join(""),u.count=e.length;let[d,l]=t?[u.rest,""]:c(u.rest);if(d&&s.current.append(a(d,u.env)),u.rest=l,l){let m=a(l,{...u.env});u.tail=[...m.childNodes],s.current.append(m)}},[i,e.length,t]);let o=c=>{let a=c.target.closest("button.outbound");a&&Ot(a.address)};return n`${!i&&n`<${S} />`}<div class="prose" ref=${s} onClick=${o}></div>`}var Wt={};K(Wt,{Mentions:()=>qt,operations:()=>Ut,shows:()=>Jo});var Ut=["list_x_mentions"],Jo=()=>"the posts that mention the organization";function qt(){let{query:e}=v(R),t=Number(e.page??1),{body:s,error:r,retry:i}=P("list_x_mentions",{page:t});return n`
    <h1>Mentions</h1>
    ${r&&n`<${C} error=${r} retry=${i} />`}
    ${!s&&!r&&n`<${S} />`}
    ${s&&n`
      <${D} meta=${s.meta} />
      ${!s.data.length&&n`<${B}>No post is stored.<//>`}
      <ul class="cards posts">${s.data.map(o=>n`<${Ho} key=${o.id} post=${o} />`)}</ul>
      <${se} pagination=${s.pagination} page=${t} onPage=${o=>O({page:o})} />`}
  `}function Ho({post:e}){let{author:t,text:s,createdAt:r,metrics:i,media:o,quoted:c,isReply:a,isRepost:u,url:d}=e,l=Object.values(i).some(Boolean),m=(h,p)=>h==="views"||!l?qe(p):Ct(p);return n`<li class="card">
    <p class="byline"><${dr} author=${t} /> <${T} at=${r} />
      ${a&&n`<span class="chip">reply</span>`}${u&&n`<span class="chip">repost</span>`}</p>
    <p class="text" dir="auto">${s}</p>
    ${o.length>0&&n`<ul class="plain-list media">${o.map(h=>n`<li><span class="kind">${h.type}</span> <${z} url=${h.url} />
      ${h.previewUrl!==h.url&&n`<${z} url=${h.previewUrl} />`}</li>`)}</ul>`}
    ${c&&n`<blockquote><p class="byline"><${dr} author=${c.author} /></p><p class="text" dir="auto">${c.text}</p><p><${z} url=${c.url}>Open the post<//></p></blockquote>`}
    <dl class="figures">${Object.entries(i).map(([h,p])=>n`<div><dt>${h}</dt><dd title=${L(p)}>${m(h,p)}</dd></div>`)}</dl>
    <p class="byline"><${z} url=${d}>Open the post<//> <code>${e.id}</code></p>
  </li>`}function dr({author:e}){return n`<strong dir="auto">${e.name}</strong> <span class="quiet" dir="ltr">@${e.username}${e.verified&&" · verified"}</span>`}var Ht={};K(Ht,{Overview:()=>Jt,operations:()=>Qo,shows:()=>ei});var Yt=60,Ko=3*31557600,hr=[[3600,"hour"],[86400,"day"],[604800,""],[2629800,"month"],[31557600,"year"]],Ge=360;function Ae(e){let t=Math.log(Math.max(e,Yt)/Yt)/Math.log(Ko/Yt);return Math.round(10+Math.min(1,t)*(Ge-20))}function mr({sources:e}){return e.length?n`<section class="freshness-picture" aria-labelledby="freshness-title">
    <div class="section-head">
      <h2 id="freshness-title">Freshness</h2>
      <p class="quiet">The mark shows the age of a source, the band its freshness target. A source past its target is stale.</p>
    </div>
    <table>
      <thead>
        <tr>
          <th scope="col">Source</th>
          <th scope="col">Status</th>
          <th scope="col">Age and target</th>
          <th scope="col" class="line"><span class="sr">On a time axis</span><${Go} /></th>
        </tr>
      </thead>
      <tbody>${e.map(t=>n`<${Zo} key=${t.id} source=${t} />`)}</tbody>
    </table>
  </section>`:n`<${B}>No source is approved for this key. An owner or admin can approve sources.<//>`}function Zo({source:e}){let{label:t,kind:s,count:r,description:i,href:o,status:c,updatedAt:a,staleAfterSeconds:u}=e,d=re(o);return n`<tr>
    <th scope="row">
      <span class="label" dir="auto">${d?n`<a href=${d}><${V} text=${t} /></a>`:t}</span>
      <span class="kind">${s}${r!==void 0&&` · ${r}`}</span>
      <span class="quiet about" dir="auto">${i}</span>
    </th>
    <td><${be} status=${c} /></td>
    <td><${T} at=${a} /><span class="quiet about">${u===void 0?"no freshness target":`stale after ${qs(u)}`}</span></td>
    <td class="line"><${Xo} status=${c} updatedAt=${a} target=${u} /></td>
  </tr>`}function Go(){return n`<svg viewBox="0 0 ${Ge} 16" aria-hidden="true" class="scale">
    <text x="10" y="12">now</text>
    ${hr.map(([e,t])=>n`<text x=${Ae(e)} y="12" text-anchor="middle">${t}</text>`)}
  </svg>`}function Xo({status:e,updatedAt:t,target:s}){let r=t?Ae(kt(t)):null,i=s===void 0?null:Ae(s),o=i!==null&&r!==null&&r>i;return n`<svg viewBox="0 0 ${Ge} 28" aria-hidden="true" class="age tone-${e}">
    ${hr.map(([c])=>n`<line class="tick" x1=${Ae(c)} x2=${Ae(c)} y1="0" y2="28" />`)}
    <line class="base" x1="10" x2=${Ge-10} y1="14" y2="14" />
    ${i!==null&&n`<rect class="promise" x="10" y="8" width=${i-10} height="12" rx="3" />`}
    ${o&&n`<line class="late" x1=${i} x2=${r} y1="14" y2="14" />`}
    ${r!==null&&n`<${Oe} status=${e} x=${r-10} y="4" width="20" height="20" />`}
  </svg>`}var Qo=["get_context","list_sources"],ei=()=>"the organization, its sources, and how fresh each of them is";function Jt(){let{body:e,error:t,retry:s}=P("get_context",{});if(t)return n`<${C} isWhole error=${t} retry=${s} />`;if(!e)return n`<${S} />`;let{organization:r,grantedScopes:i,sources:o,connections:c}=e.data;return n`
    <div class="masthead">
      <p class="eyebrow">Organization</p>
      <h1 dir="auto">${r.displayName??"Organization"}</h1>
      <p class="quiet">
        ${r.slug&&n`<code>${r.slug}</code> · `}
        ${r.createdAt&&n`since ${F(r.createdAt)} · `}
        ${o.length} ${o.length===1?"source":"sources"}
      </p>
      ${!r.displayName&&n`<p class="quiet">Its name appears once an owner or admin approves the <code>profile</code> source.</p>`}
      <ul class="chips" aria-label="Scopes of this key">
        ${i.map(a=>n`<li class="chip"><code>${a}</code></li>`)}
      </ul>
    </div>
    <${mr} sources=${o} />
    <details class="more">
      <summary>Identifiers and connections</summary>
      <dl class="facts">
        <div><dt>Organization</dt><dd><code>${r.id}</code></dd></div>
        ${o.map(({id:a,label:u,href:d})=>n`<div><dt dir="auto">${u}</dt><dd><code>${a}</code>, <code>${d}</code></dd></div>`)}
        ${Object.entries(c).map(([a,u])=>n`<div><dt>${a}</dt><dd>${ti(u)}</dd></div>`)}
      </dl>
    </details>
  `}function ti(e){return Object.entries(e).filter(([,s])=>s!==null&&typeof s!="object").map(([s,r])=>`${s} ${r}`).join(", ")}var Zt={};K(Zt,{People:()=>Kt,operations:()=>si,shows:()=>ri});var si=["list_people","read_person"],ri=({values:[e],query:{q:t}})=>e?`the person ${e} and their latest activity`:`people${t?` named “${t}”`:""}, by their latest activity`;function Kt({values:e}){return e[0]?n`<${ii} key=${e[0]} id=${e[0]} />`:n`<${oi} />`}function oi(){let{query:e}=v(R),t=te(e.q??""),s=Number(e.page??1),{body:r,error:i,retry:o}=P("list_people",{q:t,page:s}),c=Math.max(1,...(r?.data??[]).map(a=>a.activityCount));return n`
    <h1>People</h1>
    <form class="filters" role="search" onSubmit=${a=>a.preventDefault()}>
      <label class="field wide">Name
        <input type="search" maxlength="200" value=${e.q??""} dir="auto" onInput=${a=>O({q:a.target.value,page:""})} /></label>
    </form>
    ${i&&n`<${C} error=${i} retry=${o} />`}
    ${!r&&!i&&n`<${S} />`}
    ${r&&n`
      ${r.pagination.searchLimited&&n`<p class="quiet">Only the most recently active people were searched.</p>`}
      ${!r.data.length&&n`<${B}>No person in an approved source matches.<//>`}
      <ul class="people">${r.data.map(a=>n`<li key=${a.key}>
        <a href=${_("explore","people",[a.key])} dir="auto"><${V} text=${a.displayName} term=${t} /></a>
        <span class="quiet" dir="ltr">${a.username?n`@<${V} text=${a.username} term=${t} />`:""}</span>
        <span class="kind">${a.platform}</span>
        <span class="activity"><meter min="0" max=${c} value=${a.activityCount} aria-label="Activity"></meter> ${L(a.activityCount)}</span>
        <span class="quiet"><${T} at=${a.lastActiveAt} /></span>
      </li>`)}</ul>
      <${se} pagination=${r.pagination} page=${s} onPage=${a=>O({page:a})} />
      <${D} meta=${r.meta} />`}
  `}function ii({id:e}){let{body:t,error:s,retry:r}=P("read_person",{key:e});if(s)return n`<${C} isWhole error=${s} retry=${r} />`;if(!t)return n`<${S} />`;let{data:i}=t;return n`
    <p class="crumb"><a href=${_("explore","people")}>People</a></p>
    <div class="masthead">
      <p class="eyebrow">${i.platform}${i.verified&&" · verified"}</p>
      <h1 dir="auto">${i.displayName}</h1>
      <p class="quiet">
        ${i.username&&n`<span dir="ltr">@${i.username}</span> · `}
        ${L(i.activityCount)} in all · since ${F(i.firstActiveAt)} · last <${T} at=${i.lastActiveAt} />
      </p>
      ${i.profileUrl&&n`<p><${z} url=${i.profileUrl} /></p>`}
      <p class="quiet"><code>${i.key}</code></p>
    </div>
    <h2>Sources</h2>
    <ul class="plain-list">${i.sources.map(o=>n`<li key=${o.sourceId}>
      <span dir="auto">${o.label}</span> <span class="quiet">${L(o.activityCount)} · last <${T} at=${o.lastActiveAt} /></span>
    </li>`)}</ul>
    <h2>Latest activity</h2>
    <ol class="timeline">${i.recentActivity.map(o=>n`<li key=${o.id}>
      <p class="byline"><span class="kind">${o.kind}</span> <${T} at=${o.at} /></p>
      <p dir="auto"><${ni} one=${o} /></p>
    </li>`)}</ol>
    <${D} meta=${t.meta} />
  `}function ni({one:e}){let t=re(e.href),s=e.preview||`without text (${e.id})`;return t?n`<a href=${t}>${s}</a>`:e.href?n`<${z} url=${e.href}>${s}<//>`:s}var fr="./swagger-ui-ZNARJ7LG.js";var gr="./swagger-ui-KBCBW7CB.css";var Gt=null;function _r({view:e}){let t=k(null),[s,r]=w(!1),[i,o]=w(!1),c=v(Y);return x(()=>{let a=null;return Gt??=hi(),Gt.then(u=>{t.current&&(a=gi(u,t.current,()=>o(!0)))},()=>{Gt=null,r(!0)}),()=>a?.()},[]),x(()=>{i&&e&&li(t.current,e)},[i,e]),n`
    <div class="masthead">
      <h1>Reference</h1>
      <p class="lead">The contract as this service serves it: <a href="api/v1/openapi.json">api/v1/openapi.json</a>, OpenAPI 3.1.</p>
    </div>
    ${!c&&n`<section class="card entrance" aria-labelledby="try"><h2 id="try">Try it</h2>
      <p>Paste a key, and each operation below sends its request with it.</p><${_e} action="Use key" /></section>`}
    <nav class="operations" aria-label="Operations"><ul class="chips">
      ${j.operations.map(({name:a,title:u})=>n`<li><a class="chip" href=${_("reference",a)} aria-current=${a===e?"page":void 0}>${u}</a></li>`)}
    </ul></nav>
    <h2 class="sr">Operations</h2>
    ${s?n`<p role="alert">The viewer could not be loaded. Reload the page to try again.</p>`:n`<div class="reference" ref=${t} onClick=${ui}><${S} /></div>`}
    <${He} operations=${[]} />
  `}var yr=e=>e.id.split("-").at(-1);function li(e,t){let s=[...e.querySelectorAll(".opblock")].find(i=>yr(i)===t);if(!s)return;let r=s.querySelector(".opblock-summary-control");r.getAttribute("aria-expanded")==="false"&&r.click(),requestAnimationFrame(()=>{r.focus({preventScroll:!0}),s.scrollIntoView()})}function ui({target:e}){let t=e.closest(".opblock-summary-control")?.closest(".opblock");t&&history.replaceState(null,"",_("reference",yr(t)))}async function pi(e){let{pathname:t,search:s}=new URL(e,location.href),r=t.slice(t.indexOf("/api/v1/"))+s,i=he(r);if(!i)return fetch(r.slice(1));let o=await J(i.operation.name,di(i)).catch(a=>{if(!a.exchange)throw a;return a.exchange}),c={"Content-Type":"application/json","X-Request-Id":o.requestId??""};return new Response(JSON.stringify(o.body),{status:o.status===304?200:o.status,headers:c})}function di({operation:e,values:t,query:s}){let r=[...t];return Object.fromEntries(Object.entries(e.arguments).map(([i,{path:o}])=>[i,o?r.shift():s.get(i)]))}async function hi(){let e=t=>new URL(t,import.meta.url).href;return await Promise.all([wr("link",{rel:"stylesheet",href:e(gr)}),wr("script",{src:e(fr)})]),{SwaggerUI:globalThis.SwaggerUIBundle,spec:await mi()}}function wr(e,t){return new Promise((s,r)=>{document.head.prepend(Object.assign(document.createElement(e),{...t,onload:s,onerror:r}))})}async function mi(){let t=await(await fetch("api/v1/openapi.json")).json(),s=Object.values(t.paths).flatMap(r=>Object.values(r));for(let r of s.flatMap(i=>i.parameters??[]))r.required||r.example===void 0||(r.description+=` Example: \`${r.example}\``,delete r.example);return t}function fi({React:e}){let t=e.createElement,s=["errors","operations","Models"],r=({getComponent:a})=>t("div",{className:"swagger-ui"},s.map(u=>t(a(u,!0),{key:u}))),i=a=>u=>t("label",null,t("span",{className:"sr"},u.description),t(a,u)),o=(a,u)=>a?.querySelector("table[role=region]")?.setAttribute("aria-label",`Responses of ${u}`);return{components:{Contents:r},wrapComponents:{JsonSchemaForm:i,responses:a=>u=>t("div",{ref:d=>o(d,u.path)},t(a,u))}}}function gi({SwaggerUI:e,spec:t},s,r){let i=matchMedia("(prefers-color-scheme: dark)"),o=document.documentElement.classList,c=()=>o.toggle("dark-mode",i.matches);return c(),i.addEventListener("change",c),s.replaceChildren(),e({spec:t,domNode:s,layout:"Contents",plugins:[fi],requestInterceptor:a=>Object.assign(a,{userFetch:pi}),showMutatedRequest:!1,tryItOutEnabled:!0,onComplete:r,docExpansion:"list",defaultModelsExpandDepth:0,deepLinking:!1,syntaxHighlight:{activated:!1}}),()=>{i.removeEventListener("change",c),o.remove("dark-mode")}}var ts={};K(ts,{Search:()=>es,operations:()=>wi,shows:()=>_i});var wi=["search_context"],_i=({query:{q:e}})=>e?`the records that contain “${e}”`:"the newest records of all sources",yi=20,br=50;function es(){let{query:e}=v(R),[t,s]=w(yi),r=te(e.q??""),i={q:r,source:e.source,after:vr(e.after),before:vr(e.before,1),limit:t},{body:o,error:c,isLoading:a,retry:u}=P("search_context",i),d=P("list_sources",{});return n`
    <h1 class="sr">Search</h1>
    <form class="searching" role="search" onSubmit=${l=>l.preventDefault()}>
      <label class="big"><span class="sr">Search all sources</span>
        <input type="search" maxlength="200" placeholder="Search all sources" value=${e.q??""}
          onInput=${l=>O({q:l.target.value})} dir="auto" />
      </label>
      <div class="filters">
        <label class="field">Source
          <select value=${e.source??""} onChange=${l=>O({source:l.target.value})}>
            <option value="">All</option>
            ${(d.body?.data??[]).map(l=>n`<option value=${l.id}>${l.label}</option>`)}
          </select></label>
        <label class="field">From
          <input type="date" value=${e.after??""} onChange=${l=>O({after:l.target.value})} /></label>
        <label class="field">To
          <input type="date" value=${e.before??""} onChange=${l=>O({before:l.target.value})} /></label>
      </div>
    </form>
    ${c&&n`<${C} error=${c} retry=${u} />`}
    ${!o&&a&&n`<${S} />`}
    ${o&&n`<${bi} body=${o} term=${r} isLoading=${a} onMore=${t<br&&(()=>s(br))} />`}
  `}function bi({body:e,term:t,isLoading:s,onMore:r}){let{query:i}=v(R),{items:o,hasMore:c}=e.data,a=ke(()=>vi(o),[o]),u=a.kind.has(i.kind)?i.kind:"",d=u?o.filter(({kind:p})=>p===u):o,l=new Map(o.map(({sourceId:p,sourceLabel:f})=>[p,f])),m=i.after?.slice(0,4),h=m&&i.after===Xt(m).after&&i.before===Xt(m).before;return n`
    ${o.length>0&&n`<div class="facets">
      <${Qt} name="Kinds" counts=${a.kind} chosen=${u} onPick=${p=>O({kind:p})} />
      <${Qt} name="Sources" counts=${a.source} chosen=${i.source} labels=${l} onPick=${p=>O({source:p})} />
      <${Qt} name="Years" counts=${a.year} chosen=${h?m:""} onPick=${p=>O(Xt(p))} />
      ${c&&n`<p class="quiet">Counted in the ${o.length} newest results; there are more.</p>`}
    </div>`}
    <p class="sr" role="status">${d.length} results</p>
    ${!d.length&&n`<${B}>No record contains this text. Search is literal: try other words, or fewer.<//>`}
    <ol class="results" aria-busy=${s}>
      ${d.map(p=>n`<${Si} key=${`${p.kind} ${p.id}`} item=${p} term=${t} />`)}
    </ol>
    ${c&&n`<p class="actions">
      ${r?n`<button type="button" onClick=${r}>Show more</button>`:n`<span class="quiet">There are more results: narrow the search by source, time or text.</span>`}
    </p>`}
    <${D} meta=${e.meta} />
  `}var Xt=e=>e?{after:`${e}-01-01`,before:`${e}-12-31`}:{after:"",before:""};function vi(e){return Object.fromEntries(Object.entries({kind:({kind:s})=>s,source:({sourceId:s})=>s,year:({updatedAt:s})=>s&&String(new Date(s).getFullYear())}).map(([s,r])=>[s,new Map([...Map.groupBy(e,r)].map(([i,o])=>[i,o.length]))]))}function Qt({name:e,counts:t,chosen:s,labels:r,onPick:i}){let o=[...t.keys()].filter(c=>c!==null).sort();return n`<div class="chips" role="group" aria-label=${e}>
    <span class="quiet" aria-hidden="true">${e}</span>
    ${o.map(c=>n`<button type="button" class="chip" key=${c} dir="auto" aria-pressed=${c===s}
      onClick=${()=>i(c===s?"":c)}>${r?.get(c)??c} ${t.get(c)}</button>`)}
  </div>`}var xi=e=>he(e.href)?.operation.name==="read_knowledge";function Si({item:e,term:t}){let s=re(e.href),r=n`<${V} text=${e.title} term=${t} />`;return n`<li>
    <h2 dir="auto">${s?n`<a href=${s}>${r}</a>`:e.href?n`<${z} url=${e.href}>${r}<//>`:r}</h2>
    ${xi(e)?n`<${Ze} text=${e.preview} term=${t} />`:n`<p dir="auto"><${V} text=${e.preview} term=${t} /></p>`}
    <p class="byline"><span class="kind">${e.kind}</span> <span dir="auto">${e.sourceLabel}</span> ${e.updatedAt&&n`<${T} at=${e.updatedAt} />`}</p>
  </li>`}function vr(e,t=0){if(!e)return;let s=new Date(`${e}T00:00`);return s.setDate(s.getDate()+t),Number.isNaN(s.getTime())?void 0:s.toISOString()}var Ei=[["One key, one organization","The key chooses the organization. No parameter can name another."],["Nothing is shown until it is approved","An owner or admin approves each source, and can withdraw it at any time."],["Every answer says how fresh it is","Stale data is marked as stale. No request reaches a provider."],["It is read-only","Programs read over REST and agents over MCP."]],Ci=`orgctx keys issue --organization ORGANIZATION --by MEMBER \\
    --access both --scope context:read,knowledge:read --expires-in-days 30`;function xr(){let e=v(Y);return n`
    <div class="hero">
      <h1>What your organization knows, <em>for the agents it trusts.</em></h1>
      <p class="lead">orgctx gives programs and AI agents read-only access to what one organization has stored and
        approved: documents, notes, files, chats, mentions, people, and one search over all of it.</p>
    </div>
    <section class="card entrance" aria-labelledby="look">
      <h2 id="look">Look inside</h2>
      ${e?n`<p>You are using a key. It stays in the memory of this page until you reload it.</p>
            <p class="actions"><a class="button primary" href=${_("explore")}>Explore</a></p>`:n`<${_e} onDone=${()=>location.assign(_("explore"))} />`}
    </section>
    <${ki} />
    <ul class="promises">${Ei.map(([t,s])=>n`<li><h2>${t}</h2><p>${s}</p></li>`)}</ul>
    <section class="split even">
      <div>
        <h2>How to get a key</h2>
        <p>Ask an owner or admin of your organization. The operator issues it on their behalf. It is shown
          once, has the scopes that were chosen, and expires after 7, 30 or 90 days.</p>
        <${Ye} text=${Ci} label="Command that issues a key" />
      </div>
      <div>
        <h2>Then</h2>
        <ul class="plain-list next">
          <li><a href=${_("connect")}>Connect a client</a> <span class="quiet">Claude Code, Cursor, VS Code and others</span></li>
          <li><a href=${_("explore")}>Explore the data</a> <span class="quiet">as the key sees it, each view with its request</span></li>
          <li><a href=${_("reference")}>Read the reference</a> <span class="quiet">${j.operations.length} operations, REST and MCP alike</span></li>
        </ul>
      </div>
    </section>
  `}function ki(){let[e,t]=w(null),s=()=>fetch("readyz",{cache:"no-store"}).then(i=>i.json()).then(t,()=>t({status:"unreachable",checks:{}}));if(!e)return n`<p class="actions"><button type="button" onClick=${s}>Is the service ready?</button></p>`;let r=e.status==="ready";return n`<p class="readiness" role="status">
    <span class="status tone-${r?"current":"unavailable"}"><${Oe} status=${r?"current":"unavailable"} />${r?"Ready":"Not ready"}</span>
    ${Object.entries(e.checks).map(([i,o])=>n`<span class="quiet">${i} ${o}</span>`)}
  </p>`}var rs={};K(rs,{Token:()=>ss,operations:()=>ji,shows:()=>$i});var ji=["get_token"],$i=()=>"the stored summary of the linked token";function ss(){let{body:e,error:t,retry:s}=P("get_token",{});if(t)return n`<${C} isWhole error=${t} retry=${s} />`;if(!e)return n`<${S} />`;let{connected:r,token:i,index:o,holders:c,latestFees:a,latestTradeAt:u,sources:d}=e.data;return n`
    <div class="masthead">
      <p class="eyebrow">Token</p>
      <h1 dir="auto">${i?`${i.name} (${i.symbol})`:"No token is stored"}</h1>
      <${D} meta=${e.meta} />
    </div>
    ${!r&&n`<${B}>The token is approved, but no snapshot of it is stored.<//>`}
    <dl class="figures large">
      ${c&&n`<div><dt>holders</dt><dd>${L(c.count)}</dd></div>`}
      ${a&&n`<div><dt>price, USD</dt><dd>${L(a.priceUsd)}</dd></div>`}
      ${u&&n`<div><dt>last trade</dt><dd><${T} at=${u} /></dd></div>`}
      ${o&&n`<div><dt>index</dt><dd><${be} status=${o.state} /></dd></div>`}
    </dl>
    <h2>Sources</h2>
    <table class="simple">
      <thead><tr><th scope="col">Part</th><th scope="col">Status</th><th scope="col">Updated</th><th scope="col">Note</th></tr></thead>
      <tbody>${Object.entries(d).map(([l,m])=>n`<tr>
        <th scope="row">${l}</th><td><${be} status=${m.status} /></td><td><${T} at=${m.updatedAt} /></td><td dir="auto">${m.note??""}</td>
      </tr>`)}</tbody>
    </table>
    <h2>Details</h2>
    <div class="blocks">
      <${Xe} title="Token" members=${i} />
      <${Xe} title="Index" members=${o} />
      <${Xe} title="Holders" members=${c} />
      <${Xe} title="Latest fees" members=${a} />
    </div>
  `}function Xe({title:e,members:t}){return t?n`<section class="card">
    <h3>${e}</h3>
    <dl class="facts">${Object.entries(t).map(([s,r])=>n`<div><dt>${s}</dt><dd dir="auto"><${Oi} value=${r} /></dd></div>`)}</dl>
  </section>`:null}function Oi({value:e}){return e===null?n`<span class="quiet">none</span>`:typeof e=="number"?String(e):/^\d{4}-\d\d-\d\dT/.test(e)?n`<${T} at=${e}>${Z(e)}<//>`:/^https?:/.test(e)?n`<${z} url=${e} />`:n`<code>${/^\d+$/.test(e)?Ys(e):e}</code>`}var Ai=new URL(sr,import.meta.url).href,Sr={explore:"Explore"},os=U?Sr:{start:"Start",connect:"Connect",...Sr,reference:"Reference"},Pe={overview:{title:"Overview",view:Jt,...Ht},activity:{title:"Activity",view:Rt,...Mt,operations:[...Bt,...Ut]},search:{title:"Search",view:es,...ts},knowledge:{title:"Library",view:Ft,...Vt},assets:{title:"Files",view:Nt,...Lt},chats:{title:"Chats",view:Dt,...zt},people:{title:"People",view:Kt,...Zt},mentions:{title:"Mentions",view:qt,...Wt},token:{title:"Token",view:ss,...rs}};for(let[e,{operations:t,queries:s}]of Object.entries(Pe))ur(e,t,s);function Pi(){let e=v(R),t=v(Y),s=`${e.area}/${e.view}/${e.values.join("/")}`,r=k(null),i=k(!0);return x(()=>{document.title=`${Pe[e.view]?.title??os[e.area]??"Page not found"} · orgctx`,i.current||r.current.focus({preventScroll:!0}),i.current||scrollTo(0,0),i.current=!1},[s,t]),n`
    <a class="skip" href="#main" onClick=${c=>{c.preventDefault(),r.current.focus()}}>Skip to the content</a>
    <header class="bar">
      <a class="brand" href="#/"><img src=${Ai} alt="" width="26" height="26" />orgctx</a>
      ${U?n`<${Ti} />`:n`<nav aria-label="Page"><ul>
        ${Object.entries(os).map(([c,a])=>n`<li><a href=${_(c==="start"?"":c)} aria-current=${e.area===c?"page":void 0}>${a}</a></li>`)}
      </ul></nav>
      <div class="who">${t&&n`<${er} /><button type="button" onClick=${je}>Forget key</button>`}</div>`}
    </header>
    <main id="main" ref=${r} tabindex="-1" class=${e.area}>
      <${is} key=${e.area==="reference"?e.area:s}><${Ii} here=${e} isConnected=${t} /><//>
    </main>
    <${Qs} />
  `}function Ti(){let{name:e,access:t,desk:s}=U;return n`<p class="viewed">You see what the key <strong dir="auto">${e}</strong> reads${t==="mcp"&&" with MCP tools"}.</p>
    <a class="who" href=${s}>Back to the desk</a>`}function Ii({here:e,isConnected:t}){return Object.hasOwn(os,e.area)?e.area==="start"?n`<${xr} />`:e.area==="connect"?n`<${cr} view=${e.view} />`:e.area==="reference"?n`<${_r} view=${e.view} />`:t?n`<${Mi} here=${e} />`:n`<${Ri} here=${e} />`:n`<h1>Page not found</h1><p><a href="#/">Go to the start</a></p>`}function Ri({here:e}){let{title:t="Explore",operations:s,shows:r}=Pe[e.view||"overview"]??{},i=s?.flatMap(o=>le(o).scopes)??[];return n`<section class="card entrance">
    <h1>${t}</h1>
    ${r&&n`<p dir="auto">With a key, this address shows ${r(e)}.</p>
      <p class="quiet">The key needs the scope ${[...new Set(i)].map((o,c)=>n`${c>0&&" or "}<code>${o}</code>`)}.</p>`}
    <${_e} />
  </section>`}function Mi({here:e}){let t=e.view||"overview",{view:s,operations:r=[]}=Pe[t]??{},i=v(me)>0;return Ds(t),n`<div class="explore-frame">
    <nav class="views" aria-label="Views"><ul class="menu"><${Ni} name=${t} /></ul></nav>
    <div class="view" aria-busy=${i}>
      ${s?n`<${s} values=${e.values} query=${e.query} />`:n`<h1>View not found</h1><p>Choose one of the views of the menu.</p>`}
      ${!U&&n`<${He} operations=${r} />`}
    </div>
  </div>`}function Ni({name:e}){let t=v(ge),s=r=>!t||le(r).scopes.some(i=>t.includes(i));return Object.entries(Pe).filter(([,{operations:r}])=>r.some(s)).map(([r,{title:i}])=>n`<li><a href=${_("explore",r)} aria-current=${r===e?"page":void 0}>${i}</a></li>`)}var is=class extends ce{state={error:null};static getDerivedStateFromError(t){return{error:t}}render({children:t},{error:s}){return s?n`<div class="trouble" role="alert"><h1>This view failed</h1>
      <p>No data was changed. Reload the page, or report this to the operator: <code>${String(s.message)}</code></p></div>`:t}};U?xt():Vs();ct(n`<${Pi} />`,document.getElementById("app"));
