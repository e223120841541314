import{b as J}from"./chunk-OOJM4CTU.js";var x,un,Cr,Z,tt,Ie,pn,Ne,dn,rt,nt,Ar,be=Symbol.for("pv"),Le={},De=[],Tr=/^m(i|n|o|s|text|space)$/,ot=Array.isArray,st=De.slice,ie=Object.assign;function ae(e){e&&e.parentNode&&e.remove()}function fn(e,t,n){var r,s,o,c={},i=arguments.length;for(o in t)o=="key"?r=t[o]:o=="ref"&&typeof e!="function"?s=t[o]:c[o]=t[o];return i>2&&(c.children=i>3?st.call(arguments,2):n),ve(e,c,r,s,null)}function ve(e,t,n,r,s){var o={type:e,props:t,key:n,ref:r,__k:null,__:null,__b:0,__e:null,__c:null,constructor:be,__v:s||++un,__i:-1,__u:0};return!s&&x.vnode&&x.vnode(o),o}function Re(e){return e.children}function ce(e,t){this.props=e,this.context=t,this.__g=0}function Y(e,t){if(t==null)return e.__&&Y(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:Y(e)}function Or(e){var t,n=e.__v,r=n.__e,s=[],o=[],c=e.__P;c&&((t=ie({constructor:be},n)).__v=n.__v+1,x.vnode&&x.vnode(t),at(c,t,n,e.__n,c.namespaceURI,32&n.__u?[r]:null,s,r||Y(n),32&n.__u,o),t.__v=n.__v,t.__.__k[t.__i]=t,yn(s,t,o),n.__=n.__e=null,t.__e!=r&&mn(t))}function mn(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),mn(e)}function cn(e){(8&e.__g||(e.__g|=8,Z.push(e),Ie++))&&tt==x.debounceRendering||((tt=x.debounceRendering)||queueMicrotask)($n)}function $n(){try{for(var e,t=1;Z.length;)Z.length>t&&Z.sort(pn),e=Z.shift(),t=Z.length,8&e.__g&&Or(e)}finally{(Ie=Z.length)&&(tt||queueMicrotask)($n)}}function hn(e,t,n,r,s,o,c,i,p,d,l){var m,f,u,h,k,_,$=r.__k||De,v=t.length;for(p=qr(n,t,$,p,v),m=0;m<v;m++)(u=n.__k[m])!=null&&(f=~u.__i&&$[u.__i]||Le,u.__i=m,_=at(e,u,f,s,o,c,i,p,d,l),h=u.__e,(f.ref!=u.ref||8&f.__u)&&(f.ref&&it(f.ref,null,u,f),u.ref&&l.push(u.ref,u.__c||h,u)),k=k||h,4&u.__u?(p=_n(u,p,e,!f.__v),f.__e&&(f.__e=null)):typeof u.type=="function"&&_!==void 0?p=_:h&&(p=h.nextSibling),u.__u&=-21);return n.__e=k,p}function qr(e,t,n,r,s){var o,c,i,p,d,l,m,f,u,h=n.length,k=h,_=0,$=0,v=e.__k=Array(s);for(o=0;o<s;o++)(c=t[o])!=null&&typeof c!="boolean"&&typeof c!="function"?(typeof c!="object"||c.constructor===String?c=v[o]=ve(null,c):ot(c)?c=v[o]=ve(Re,{children:c}):c.constructor===be&&c.__b?c=v[o]=ve(c.type,c.props,c.key,c.ref,c.__v):v[o]=c,p=o+_,c.__=e,c.__b=e.__b+1,i=null,~(d=c.__i=Mr(c,n,p,k))&&(k--,(i=n[d])&&(i.__u|=2)),i&&i.__v?(c.__u|=16,d==p-1?_--:d==p+1?_++:d!=p&&(d>p?_--:_++,$=1)):(~d||(s>h?_--:s<h&&_++),typeof c.type!="function"&&(c.__u|=4))):v[o]=null;if($){for(l=[],m=[],o=0;o<s;o++)if((c=v[o])&&16&c.__u){for(_=0,f=l.length;_<f;)l[u=_+f>>1]<c.__i?_=u+1:f=u;l[_]=c.__i,m[o]=_+1}for(_=l.length;o--;)m[o]&&(m[o]==_?_--:v[o].__u|=4)}if(k)for(o=0;o<h;o++)!(i=n[o])||2&i.__u||(i.__e==r&&(r=Y(i)),ct(i,i));return r}function _n(e,t,n,r){var s,o,c,i;if(typeof e.type=="function"){if(e.props.__P)return t;if(s=e.__k)for(o=0;o<s.length;o++)s[o]&&(s[o].__=e,t=_n(s[o],t,n,!1));return t}for(t&&!t.parentNode&&(t=Y(e))&&!t.parentNode&&(t=null),c=e.__e,i=t;i&&i.nodeType==8;)i=i.nextSibling;for(c!=i&&(!r&&n.moveBefore&&c.parentNode?n.moveBefore(c,t):n.insertBefore(c,t||null)),t=c;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function Mr(e,t,n,r){var s,o=e.key,c=e.type,i=t[n],p=i&&!(2&i.__u);if(i===null&&o==null||p&&o==i.key&&c==i.type)return n;if(r>(p?1:0)){for(s=n-1;s>=0;s--)if((i=t[s])&&!(2&i.__u)&&o==i.key&&c==i.type)return s;for(s=n+1;s<t.length;s++)if((i=t[s])&&!(2&i.__u)&&o==i.key&&c==i.type)return s}return-1}function ln(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function Ee(e,t,n,r,s){var o,c;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof r=="string"&&(e.style.cssText=r=""),r)for(t in r)n&&t in n||ln(e.style,t);if(n)for(t in n)r&&n[t]==r[t]||ln(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof r!="function"&&(r=null),(e.__e||(e.__e={}))[t]=n,n&&r||(c=nt[t]||(nt[t]=Er(t)),(e.__a||(e.__a={}))[t]=rt,o=t!=(t=t.replace(dn,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,c,o):e.removeEventListener(t,c,o));else{if(s=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function Er(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[Ne]==null)t[Ne]=rt++;else if(t[Ne]<this.__a[e])return;return n(x.event?x.event(t):t)}}}function at(e,t,n,r,s,o,c,i,p,d){var l,m,f,u,h,k,_,$,v,I,q,et,sn,Me,oe,an,X,se,K=t.type;if(t.constructor!==be)return null;128&n.__u&&(p=32&n.__u,l=n.__c.__z)&&(t.__u|=p,m=o=[],l.nodeType==8?i=Pe(l,o):o.push(l),i=o[0]||i),(l=x.__b)&&l(t);e:if(typeof K=="function"){f=c.length;try{if($=t.props,v=(l=K.prototype)&&l.render,I=(l=K.contextType)&&r[l.__c],q=l?I?I.props.value:l.__:r,(u=n.__c)?(t.__c=u,2&u.__g&&(u.__g|=1)):(v?t.__c=u=new K($,q):(t.__c=u=new ce($,q),u.constructor=K,u.render=Pr),I&&I.sub(u),u.state||(u.state={}),u.__n=r,u.__g|=8,u.__h=[],u.__k=[]),v&&(u.__s||(u.__s=u.state),K.getDerivedStateFromProps&&(u.__s==u.state&&(u.__s=ie({},u.__s)),ie(u.__s,K.getDerivedStateFromProps($,u.__s)))),h=u.props,k=u.state,u.__v=t,n.__c){if($!==h&&v&&!K.getDerivedStateFromProps&&u.componentWillReceiveProps&&u.componentWillReceiveProps($,q),t.__v==n.__v&&!(8&u.__g)||!(4&u.__g)&&u.shouldComponentUpdate&&u.shouldComponentUpdate($,u.__s,q)===!1){t.__v!=n.__v&&(u.props=$,u.state=u.__s,u.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(W){W&&(W.__=t)}),De.push.apply(u.__h,u.__k),u.__k=[],u.__h.length&&c.push(u),i=Y(n);break e}u.componentWillUpdate&&u.componentWillUpdate($,u.__s,q),v&&u.componentDidUpdate&&u.__h.push(function(){u.componentDidUpdate(h,k,_)})}else v&&!K.getDerivedStateFromProps&&u.componentWillMount&&u.componentWillMount(),v&&u.componentDidMount&&u.__h.push(u.componentDidMount);u.context=q,u.props=$,u.__P=e,u.__g&=-5,et=x.__r,sn=v?25:0;do u.__g&=-9,et&&et(t),l=u.render(u.props,u.state=u.__s,u.context);while(8&u.__g&&++sn<25);v&&(De.push.apply(u.__h,u.__k),u.__k=[]),u.state=u.__s,u.getChildContext&&(r=ie({},r,u.getChildContext())),v&&n.__c&&u.getSnapshotBeforeUpdate&&(_=u.getSnapshotBeforeUpdate(h,k)),Me=l&&l.type===Re&&l.key==null?l.props.children:l,$.__P&&(l=i,s=(e=$.__P).namespaceURI,p=o=null,n.props&&n.props.__P!=e&&(n.__k.some(function(W){W&&ct(W,W)}),n.__k=null),i=n.__k?Y(n,0):null),i=hn(e,ot(Me)?Me:[Me],t,n,r,s,o,c,i,p,d),$.__P&&(t.__e=null,i=l),t.__u&=-161,m&&m.some(ae),u.__h.length&&c.push(u),1&u.__g&&(u.__g&=-4)}catch(W){if(c.length=f,t.__v=null,p||o)if(W&&W.then){if(t.__u|=128|p,o){for(~(X=o.indexOf(i||void 0))||(X=o.length);(se=o[X-1])&&se.nodeType==8;)X--;for(;X<o.length;X++)if(se=o[X])if(o[X]=null,oe){if(se==an)break}else{if(se.nodeType!=8)break;se.data.startsWith("$s")&&(an=Pe(oe=se))}}if(!oe){for(;i&&i.nodeType==8&&i.nextSibling;)i=i.nextSibling;oe=i}(l=Pe(oe=t.__c.__z||(t.__c.__z=oe)))?(t.__e=oe,i=l):t.__e=i,i=i&&i.nextSibling}else o&&o.some(ae);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),W&&W.then||gn(t),x.__e(W,t,n)}}else i=t.__e=Nr(n.__e,t,n,r,s,o,c,p,d,e);return(l=x.diffed)&&l(t),i}function Pe(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function gn(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(gn))}function yn(e,t,n){for(var r=0;r<n.length;)it(n[r++],n[r++],n[r++]);x.__c&&x.__c(t,e),e.some(function(s){try{e=s.__h,s.__h=[],e.some(function(o){o.call(s)})}catch(o){x.__e(o,s.__v)}})}function Nr(e,t,n,r,s,o,c,i,p,d){var l,m,f,u,h,k,_,$,v=n.props||Le,I=t.props,q=t.type;if(q=="svg"?s="http://www.w3.org/2000/svg":q=="math"?s="http://www.w3.org/1998/Math/MathML":s||(s="http://www.w3.org/1999/xhtml"),o){for(l=0;l<o.length;l++)if((h=o[l])&&(q?h.localName==q:h.nodeType==3)){e=h,o[l]=null;break}}if(!e){if($=d.ownerDocument||document,!q)return $.createTextNode(I);e=$.createElementNS(s,q,I.is?I:d),i&&(x.__m&&x.__m(t,o),i=!1),o=null}if(q){if(d=q=="template"&&e.content||e,o=q=="textarea"&&I.defaultValue!=null?null:o&&st.call(d.childNodes),!i&&o)for(v={},l=0;l<e.attributes.length;l++)v[(h=e.attributes[l]).name]=h.value;for(l in v)h=v[l],l=="dangerouslySetInnerHTML"?f=h:l=="children"||l in I||l=="value"&&"defaultValue"in I||l=="checked"&&"defaultChecked"in I||Ee(e,l,null,h,s);for(l in I)h=I[l],l=="children"?u=h:l=="dangerouslySetInnerHTML"?m=h:l=="value"?k=h:l=="checked"?_=h:i&&typeof h!="function"||v[l]===h||Ee(e,l,h,v[l],s);m?(i||f&&(m.__html==f.__html||m.__html==e.innerHTML)||(e.innerHTML=m.__html),t.__k=[]):(f&&(e.textContent=""),(q=="foreignObject"||s=="http://www.w3.org/1998/Math/MathML"&&Tr.test(q))&&(s="http://www.w3.org/1999/xhtml"),hn(d,ot(u)?u:[u],t,n,r,s,o,c,o?o[0]:n.__k&&Y(n,0),i,p),o&&o.some(ae)),i&&q!="textarea"||(l="value",q=="progress"&&k==null?e.removeAttribute(l):k==null||k===e[l]&&(q!="progress"||k)||Ee(e,l,k,v[l],s),l="checked",_!=null&&_!=e[l]&&Ee(e,l,_,v[l],s))}else v===I||i&&e.data==I||(e.data=I);return e}function it(e,t,n,r){try{typeof e=="function"?t?t.__x=e(t)||1:r&&(r=r.__c||r.__e)&&(t=r.__x)&&(r.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(s){x.__e(s,n)}}function ct(e,t,n){var r,s,o,c;if(x.unmount&&x.unmount(e),!(r=e.ref)||r.current&&r.current!=e.__e||it(r,null,t,e),r=e.__c){if(r.componentWillUnmount)try{r.componentWillUnmount()}catch(i){x.__e(i,t)}r.__P=r.__n=null}if(r=e.__k)for(c=0;c<r.length;c++)r[c]&&ct(r[c],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(r=e.__c)&&(r=r.__z)&&(s=Pe(r,o=[]))&&(r==e.__e&&o.some(ae),ae(s),ae(r)),n||ae(e.__e),e.__e=e.__c=e.__=null}function Pr(e,t,n){return this.constructor(e,n)}function lt(e,t){var n,r,s,o;x.__&&x.__(e,t),t.nodeType==9&&(t=t.documentElement),r=(n=e&&32&e.__u)?null:t.__k,t.__k=ve(Re,{children:[e]}),s=[],o=[],at(t,t.__k,r||Le,Le,t.namespaceURI,r?null:t.firstChild?st.call(t.childNodes):null,s,r?r.__e:t.firstChild,n,o),yn(s,t.__k,o),t.__k.props.children=null}x={__e:function(e,t,n,r){for(var s,o,c;t=t.__;)if((s=t.__c)&&!(1&s.__g)){s.__g|=4;try{if((c=(o=s.constructor)&&o.getDerivedStateFromError)&&s.setState(o.getDerivedStateFromError(e)),s.componentDidCatch&&(s.componentDidCatch(e,r||{}),c=1),c&&8&s.__g)return void(s.__g|=2)}catch(i){e=i}}throw Ie=0,e}},un=0,Cr=function(e){return e!=null&&e.constructor===be},ce.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=ie({},this.state)),typeof e=="function"&&(e=e(ie({},n),this.props)),e&&(ie(n,e),this.__v&&(t&&this.__k.push(t),cn(this)))},ce.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),cn(this))},ce.prototype.render=Re,Z=[],Ie=0,pn=function(e,t){return e.__v.__b-t.__v.__b},Ne=Symbol(),dn=/(PointerCapture)$|Capture$/i,rt=0,nt={},Ar=0;var bn=function(e,t,n,r){var s;t[0]=0;for(var o=1;o<t.length;o++){var c=t[o++],i=t[o]?(t[0]|=c?1:2,n[t[o++]]):t[++o];c===3?r[0]=i:c===4?r[1]=Object.assign(r[1]||{},i):c===5?(r[1]=r[1]||{})[t[++o]]=i:c===6?r[1][t[++o]]+=i+"":c?(s=e.apply(i,bn(e,i,n,["",null])),r.push(s),i[0]?t[0]|=2:(t[o-2]=0,t[o]=s)):r.push(i)}return r},vn=new Map;function wn(e){var t=vn.get(this);return t||(t=new Map,vn.set(this,t)),(t=bn(this,t.get(e)||(t.set(e,t=(function(n){for(var r,s,o=1,c="",i="",p=[0],d=function(f){o===1&&(f||(c=c.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?p.push(0,f,c):o===3&&(f||c)?(p.push(3,f,c),o=2):o===2&&c==="..."&&f?p.push(4,f,0):o===2&&c&&!f?p.push(5,0,!0,c):o>=5&&((c||!f&&o===5)&&(p.push(o,0,c,s),o=6),f&&(p.push(o,f,0,s),o=6)),c=""},l=0;l<n.length;l++){l&&(o===1&&d(),d(l));for(var m=0;m<n[l].length;m++)r=n[l][m],o===1?r==="<"?(d(),p=[p],o=3):c+=r:o===4?c==="--"&&r===">"?(o=1,c=""):c=r+c[0]:i?r===i?i="":c+=r:r==='"'||r==="'"?i=r:r===">"?(d(),o=1):o&&(r==="="?(o=5,s=c,c=""):r==="/"&&(o<5||n[l][m+1]===">")?(d(),o===3&&(p=p[0]),o=p,(p=p[0]).push(2,0,o),o=0):r===" "||r==="	"||r===`
`||r==="\r"?(d(),o=2):c+=r),o===3&&c==="!--"&&(o=4,p=p[0])}return d(),p})(e)),t),arguments,[])).length>1?t:t[0]}var de,L,ut,kn,pt=Object.is,ke=0,En=[],dt=[],E=x,xn=E.__b,Sn=E.__r,Cn=E.diffed,An=E.__c,Tn=E.unmount,On=E.__;function Fe(e,t){E.__h&&E.__h(L,e,ke||t),ke=0;var n=L.__H||(L.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function y(e){return ke=1,Ir(Nn,e)}function Ir(e,t,n){var r=Fe(de++,2);if(r.t=e,!r.__c&&(r.__=[n?n(t):Nn(void 0,t),function(o){var c=(r.__N||r.__)[0],i=r.t(c,o);pt(c,i)||(r.__N=[i,r.__[1]],r.__c.setState({}))}],r.__c=L,!L.__f)){L.__f=!0;var s=L.shouldComponentUpdate;L.shouldComponentUpdate=function(o,c,i){var p=this.__H;if(!p)return!0;var d=!1,l=this.props!=o;if(p.__.some(function(f){f.__N&&(d=!0,pt(f.__[0],f.__N[0])||(l=!0))}),s){var m=s.call(this,o,c,i);return d?m||l:m}return!d||l}}return r.__}function w(e,t){var n=Fe(de++,3);!E.__s&&mt(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,L.__H.__h.push(n))}function xe(e,t){var n=Fe(de++,4);!E.__s&&mt(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,L.__h.push(n))}function A(e){return ke=5,Se(function(){return{current:e}},[])}function Se(e,t){var n=Fe(de++,7);return mt(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function je(e,t){return ke=8,Se(function(){return e},t)}function Lr(){var e;do{for(;e=dt.shift();)try{we(e)}catch(n){E.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=En.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(we),t.__h.some(ft),t.__h=[]}catch(n){t.__h=[],E.__e(n,e.__v)}}}while(dt.length)}E.__b=function(e){L=null,xn&&xn(e)},E.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),On&&On(e,t)},E.__r=function(e){Sn&&Sn(e),de=0;var t=(L=e.__c).__H;t&&(ut==L?L.__h=[]:(t.__h.some(we),t.__h.some(ft),de=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),ut=L},E.diffed=function(e){Cn&&Cn(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&Mn(En.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),ut=L=null},E.__c=function(e,t){t.some(function(n){try{n.__h.some(we),n.__h=n.__h.filter(function(r){return!r.__||ft(r)})}catch(r){n.__h=[function(){throw r}]}}),An&&An(e,t)},E.unmount=function(e){Tn&&Tn(e);var t,n,r=e.__c;r&&r.__H&&(r.__H.__.some(function(s){try{if(s.__P&&s.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}s.__P=n,Mn(dt.push(s))}else we(s)}catch(o){t=o}}),r.__H=void 0,t&&E.__e(t,r.__v))};var qn=typeof requestAnimationFrame=="function";function Dr(e){var t,n=function(){clearTimeout(r),qn&&cancelAnimationFrame(t),setTimeout(e)},r=setTimeout(n,35);qn&&(t=requestAnimationFrame(n))}function Mn(e){e!=1&&kn==E.requestAnimationFrame||((kn=E.requestAnimationFrame)||Dr)(Lr)}function we(e){var t=L,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),L=t}function ft(e){var t=L;e.__c=e.__(),L=t}function mt(e,t){return!e||e.length!=t.length||t.some(function(n,r){return!pt(n,e[r])})}function Nn(e,t){return typeof t=="function"?t(e):t}var a=wn.bind(fn);var z=class{#e=new Set;constructor(t){this.value=t}set(t){this.value=t;for(let n of[...this.#e])n(t)}watch(t){return this.#e.add(t),()=>this.#e.delete(t)}};function b(e){let[t,n]=y(e.value);return w(()=>(n(e.value),e.watch(n)),[e]),t}var $t=null;function ht(){let[e,t=""]=location.hash.split("?"),n=new URLSearchParams(t);n.has("key")&&($t=n.get("key"),n.delete("key"),history.replaceState(null,"",`${e}${n.size?`?${n}`:""}`))}function Pn(){let e=$t;return $t=null,e}var _t=document.querySelector('meta[name="orgctx-key"]'),B=_t&&{name:_t.content,..._t.dataset};ht();var N=new z(gt(location.hash));addEventListener("hashchange",()=>{ht(),N.set(gt(location.hash))});function g(e,t="",n=[],r={}){let s=[e,t,...n].filter(Boolean).map(encodeURIComponent).join("/"),o=Object.entries(r).filter(([,i])=>i!=null&&i!==""),c=new URLSearchParams(o).toString();return`#/${s}${c&&`?${c}`}`}function T(e){let{area:t,view:n,values:r,query:s}=N.value;history.replaceState(null,"",g(t,n,r,{...s,...e})),N.set(gt(location.hash))}function gt(e){let[t,n=""]=e.replace(/^#\/?/,"").split("?"),[r="",s="",...o]=t.split("/").map(yt);return{area:r||(B?"explore":"start"),view:s,values:o,query:Object.fromEntries(new URLSearchParams(n))}}function yt(e){try{return decodeURIComponent(e)}catch{return e}}var vt=await fetch(document.querySelector("link[rel=preload][as=fetch]").href);if(!vt.ok)throw new Error(`service.json: ${vt.status}`);var S=await vt.json();S.baseUrl||=location.origin;for(let e of S.clients)e.configuration=e.configuration.replaceAll(S.exampleUrl,S.baseUrl);var Rr=new Map(S.operations.map(e=>[e.name,e])),Fr=S.operations.map(e=>[new RegExp(`^/api/v1${e.path.replace(/\{\w+\}/g,"([^/]+)")}$`),e]);function le(e){return Rr.get(e)}function In(e,t){let n=e.path,r=new URLSearchParams;for(let[o,{path:c}]of Object.entries(e.arguments)){let i=t[o];c?n=n.replace(`{${c}}`,encodeURIComponent(i)):Dn(i)||r.set(o,i)}let s=r.toString();return`/api/v1${n}${s&&`?${s}`}`}function Ln(e,t){let n=Object.entries(e.arguments).filter(([r])=>!Dn(t[r]));return Object.fromEntries(n.map(([r,{type:s}])=>[r,jr(t[r],s)]))}function Ue(e){if(!e?.startsWith("/api/v1/"))return null;let[t,n=""]=e.split("?");for(let[r,s]of Fr){let o=r.exec(t);if(o)return{operation:s,values:o.slice(1).map(yt),query:new URLSearchParams(n)}}return null}function Dn(e){return e==null||e===""}function jr(e,t){return t==="integer"?Number(e):t==="boolean"?e===!0||e==="true":String(e)}var Ur=60,Hr=12,Br=B?"manual":"follow",me=null,ue=new Map,V=new z(B!==null),He=new z(null),$e=new z(null),fe=new z(0),pe=new z([]);function wt(e){Ce(),me=e,V.set(!0),kt()}function kt(){Q("get_context").catch(()=>{})}function Ce(){me=null,ue.clear(),He.set(null),$e.set(null),pe.set([]),V.set(!1)}var bt=class extends Error{constructor(t){super(t.body?.error?.message??""),this.exchange=t,this.status=t.status,this.retryAt=Date.now()+1e3*(t.retryAfter??0)}};async function Q(e,t={},n=void 0){let r=le(e),s=In(r,t),o=ue.get(s),c=me,i=performance.now(),p={operation:r,args:t,path:s,status:0,milliseconds:0,body:null,etag:null},d;fe.set(fe.value+1);try{d=await fetch(s.slice(1),{headers:Wr(o),cache:"no-store",redirect:Br,signal:n}),d.type==="opaqueredirect"&&location.reload(),p.status=d.status,p.body=d.status===304?o.body:await d.json()}catch(l){if(l.name==="AbortError")throw l}finally{fe.set(fe.value-1)}if(me!==c)throw new DOMException("The key has changed.","AbortError");if(p.milliseconds=Math.round(performance.now()-i),d&&zr(p,d),pe.set([p,...pe.value].slice(0,Hr)),p.status!==200&&p.status!==304)throw new bt(p);return p.body.data.grantedScopes&&$e.set(p.body.data.grantedScopes),Kr(s,p),p}function Wr(e){return{Accept:"application/json",...me&&{Authorization:`Bearer ${me}`},...e&&{"If-None-Match":e.etag}}}function zr(e,{headers:t}){let n=r=>t.has(r)?Number(t.get(r)):void 0;e.etag=t.get("ETag"),e.requestId=t.get("X-Request-Id"),e.retryAfter=Vr(t.get("Retry-After")),t.has("RateLimit-Limit")&&(e.quota={limit:n("RateLimit-Limit"),remaining:n("RateLimit-Remaining"),resetAt:Date.now()+1e3*n("RateLimit-Reset")},He.set(e.quota))}function Vr(e){return e&&(Number.isNaN(Number(e))?(new Date(e)-Date.now())/1e3:Number(e))}function Kr(e,{etag:t,body:n}){ue.delete(e),ue.set(e,{etag:t,body:n}),ue.size>Ur&&ue.delete(ue.keys().next().value)}var Be={body:null,error:null,isLoading:!1};function P(e,t){let[n,r]=y({...Be,isLoading:t!==null}),[s,o]=y(0),c=b(V),i=t&&JSON.stringify(t);w(()=>{if(i===null||!c)return r(Be);let d=new AbortController;return r(l=>({...l,error:null,isLoading:!0})),Q(e,JSON.parse(i),d.signal).then(({body:l})=>r({...Be,body:l}),l=>l.name!=="AbortError"&&r({...Be,error:l})),()=>d.abort()},[e,i,s,c]);let p=je(()=>o(d=>d+1),[]);return{...n,retry:p}}function ee(e,t,n){let[r,s]=y({bodies:[],error:null,isLoading:!0,nextArgs:null}),o=A(null),c=JSON.stringify(t),i=je(({signal:d},l,m)=>{s({bodies:m,error:null,isLoading:!0,nextArgs:l}),Q(e,l,d).then(({body:f})=>s({bodies:[...m,f],error:null,isLoading:!1,nextArgs:n(f,l)}),f=>f.name!=="AbortError"&&s({bodies:m,error:f,isLoading:!1,nextArgs:l}))},[e]);w(()=>(o.current=new AbortController,i(o.current,JSON.parse(c),[]),()=>o.current.abort()),[i,c]);let p=()=>{!r.isLoading&&r.nextArgs&&i(o.current,r.nextArgs,r.bodies)};return{...r,hasMore:r.nextArgs!==null,more:p}}function te(e,t=250){let[n,r]=y(e);return w(()=>{let s=setTimeout(()=>r(e),t);return()=>clearTimeout(s)},[e,t]),n}function he(e){let[t,n]=y({module:null});if(w(()=>{e().then(r=>n({module:r}),r=>n({error:r}))},[]),t.error)throw t.error;return t.module}function Rn(e,t){let n=A(null),r=A(e);return r.current=e,w(()=>{if(!t||!n.current)return;let s=new IntersectionObserver(o=>o.some(c=>c.isIntersecting)&&r.current(),{rootMargin:"400px"});return s.observe(n.current),()=>s.disconnect()}),n}function Fn(e){w(()=>()=>pe.set([]),[e])}var jn=/^octx_[0-9A-Za-z]{40}$/,Un="This is not an API key. Paste the whole key: octx_ and 40 letters and digits.",xt="";function Hn(){let e=()=>{let t=Pn();t!==null&&(xt=jn.test(t)?"":Un,xt||wt(t))};e(),N.watch(e)}function _e({onDone:e,action:t="Explore"}){let n=A(null),[r,s]=y(xt);return a`<form class="key" onSubmit=${c=>{c.preventDefault();let i=n.current.value.trim();return n.current.value="",jn.test(i)?(s(""),wt(i),e?.()):s(Un)}} autocomplete="off">
    <label>API key
      <input ref=${n} type="password" autocomplete="off" autocapitalize="off" spellcheck="false" required
        placeholder="octx_…" aria-describedby="key-note" aria-invalid=${r?"true":"false"} />
    </label>
    <button type="submit" class="primary">${t}</button>
    <p id="key-note" class="quiet">${r?a`<span class="error" role="alert">${r}</span>`:"The key stays in the memory of this page until you reload it."}</p>
  </form>`}var Jr=new Intl.DateTimeFormat(void 0,{dateStyle:"medium"}),Gr=new Intl.DateTimeFormat(void 0,{dateStyle:"medium",timeStyle:"short"}),Xr=new Intl.DateTimeFormat(void 0,{timeStyle:"short"}),Zr=new Intl.RelativeTimeFormat(void 0,{numeric:"auto"}),Yr=new Intl.NumberFormat(void 0,{notation:"compact",maximumFractionDigits:1}),Qr=new Intl.NumberFormat(void 0,{maximumFractionDigits:6}),eo=new Intl.NumberFormat(void 0,{maximumSignificantDigits:3}),to=[["year",31557600],["month",2629800],["week",604800],["day",86400],["hour",3600],["minute",60],["second",1]],ge=e=>t=>t==null?"unknown":e(t),U=ge(e=>Jr.format(new Date(e))),G=ge(e=>Gr.format(new Date(e))),St=ge(e=>Xr.format(new Date(e))),Ct=ge(e=>Yr.format(e)),D=ge(e=>(e&&Math.abs(e)<.001?eo:Qr).format(e)),We=e=>e?Ct(e):"unknown",At=e=>Math.max(0,(Date.now()-new Date(e))/1e3);function Bn(e){let[t,n]=Jn(At(e));return Zr.format(-n,t)}function Wn(e){let[t,n]=Jn(e*1.001);return`${n} ${t}${n===1?"":"s"}`}var Ae=ge(e=>{let t=e<1e3?0:Math.min(4,Math.floor(Math.log10(e)/3)),n=e/1e3**t;return`${t&&n<10?n.toFixed(1):Math.round(n)} ${["B","kB","MB","GB","TB"][t]}`});function zn(e){return`${Math.floor(e/60)}:${String(e%60).padStart(2,"0")}`}var Vn=e=>e.replace(/\B(?=(\d{3})+$)/g," "),Kn=e=>e.replaceAll("_"," ");function Jn(e){let[t,n]=to.find(([,r])=>e>=r)??["second",1];return[t,Math.floor(e/n)]}var Gn={current:a`<circle cx="8" cy="8" r="5" />`,available:a`<circle cx="8" cy="8" r="5" />`,ready:a`<circle cx="8" cy="8" r="5" />`,stale:a`<path d="M8 2.5 14 13H2Z" />`,collecting:a`<path d="M8 2.5 14 13H2Z" />`,synthetic:a`<path d="M8 2 14 8 8 14 2 8Z" />`,unavailable:a`<path d="M3.5 3.5h9v9h-9Z" />`,error:a`<path d="M3.5 3.5h9v9h-9Z" />`,not_connected:a`<circle class="hollow" cx="8" cy="8" r="4.5" />`},Yn={available:"current",ready:"current",collecting:"stale",error:"unavailable"};function Te({status:e,...t}){let n=Yn[e]??e;return a`<svg class="shape tone-${n}" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" ...${t}>
    ${Gn[e]??Gn.not_connected}
  </svg>`}function ye({status:e}){return a`<span class="status tone-${Yn[e]??e}"><${Te} status=${e} />${Kn(e)}</span>`}function M({at:e,children:t}){return e?a`<time datetime=${e} title=${G(e)}>${t??Bn(e)}</time>`:a`<span class="quiet">never</span>`}var Ot=e=>new RegExp(`(${e.replace(/[.*+?^$\{}()|[\]\\]/g,"\\$&")})`,"giu");function H({text:e,term:t}){return t?e.split(Ot(t)).map((n,r)=>r%2?a`<mark>${n}</mark>`:n):e}function F({meta:e}){let{status:t,updatedAt:n,note:r}=e.freshness;return a`<p class="freshness">
    <${ye} status=${t} />
    ${n&&a`<span>updated <${M} at=${n} /></span>`}
    ${r&&a`<span class="quiet" dir="auto">${r}</span>`}
  </p>`}function ne({pagination:e,page:t,onPage:n}){if(!e||e.totalPages<=1&&t<=1)return null;let{totalPages:r,total:s,hasNextPage:o}=e;return a`<nav class="pager" aria-label="Pages">
    <button type="button" disabled=${t<=1} onClick=${()=>n(t-1)}>Previous</button>
    <span>Page ${t} of ${Math.max(r,1)} <span class="quiet">· ${s} in all</span></span>
    <button type="button" disabled=${!o} onClick=${()=>n(t+1)}>Next</button>
  </nav>`}function ze({text:e,label:t="Copy"}){let[n,r]=y(!1),s=async()=>{await navigator.clipboard.writeText(e),r(!0),setTimeout(r,1600,!1)};return navigator.clipboard?a`<button type="button" class="copy" onClick=${s}>
    <span aria-live="polite">${n?"Copied":t}</span>
  </button>`:null}function Ve({text:e,label:t}){return a`<div class="snippet">
    <pre tabindex="0" role="region" aria-label=${t}><code>${e}</code></pre>
    <${ze} text=${e} />
  </div>`}function C(){return a`<p class="loading" role="status">Loading …</p>`}function R({children:e}){return a`<p class="empty">${e}</p>`}function O({error:e,retry:t,isWhole:n}){let{status:r}=e,s=Xn[r]??Xn[r>=500||r===0?503:400],o=e.message.replace(/\s*Retry (in|with) [^.]*\.$/,"");return a`<div class="trouble" role="alert">
    ${n?a`<h1>${s.title}</h1>`:a`<h2>${s.title}</h2>`}
    ${o&&a`<p dir="auto">${o}</p>`}
    ${s.what&&a`<p>${s.what}</p>`}
    <p class="actions">
      ${r===401&&!B&&a`<button type="button" onClick=${Ce}>Use another key</button>`}
      ${r===429&&a`<${no} until=${e.retryAt} retry=${t} />`}
      ${(r===0||r>=500)&&a`<button type="button" onClick=${t}>Try again</button>`}
    </p>
    ${e.exchange?.requestId&&a`<p class="quiet">Request <code>${e.exchange.requestId}</code></p>`}
  </div>`}var Xn={0:{title:"The service did not respond",what:"Check that it runs and that you are online, then try again."},400:{title:"Invalid request",what:"Change the parameters; the same request fails again."},401:{title:"This key does not work"},403:{title:"This key may not read this",what:"With more scopes, the key itself stays the same."},404:{title:"Not found"},409:{title:"The stored data does not match"},429:{title:"Too many requests"},503:{title:"The service could not answer",what:"No data is lost."}};function no({until:e,retry:t}){let[n,r]=y(()=>Zn(e));return w(()=>{let s=setInterval(()=>r(Zn(e)),250);return()=>clearInterval(s)},[e]),a`<button type="button" disabled=${n>0} onClick=${t}>
    ${n>0?`Try again in ${n} s`:"Try again"}
  </button>`}var Zn=e=>Math.max(0,Math.ceil((e-Date.now())/1e3)),Tt=new z(null);function qt(e){Tt.set(e)}function j({url:e,children:t}){return a`<button type="button" class="outbound" dir="auto" onClick=${()=>qt(e)}>${t??e}</button>`}function Qn(){let e=b(Tt),t=A(null);w(()=>{e&&t.current.showModal()},[e]);let n=()=>t.current.close(),r=/^(https?|mailto):/i.test(e??"");return a`<dialog ref=${t} aria-labelledby="outbound-title" onClose=${()=>Tt.set(null)}>
    <h2 id="outbound-title">This link comes from a source</h2>
    <p>It has not been checked.</p>
    <p class="address" dir="ltr"><code>${e}</code></p>
    <p class="actions">
      ${r&&a`<a class="button" href=${e} target="_blank" rel="noopener noreferrer nofollow" onClick=${n}>Open in a new tab</a>`}
      <${ze} text=${e??""} label="Copy address" />
      <button type="button" onClick=${n}>Close</button>
    </p>
  </dialog>`}var Ke={curl:{title:"curl",text:oo},mcp:{title:"MCP",text:so},python:{title:"Python",text:ao},json:{title:"JSON",text:({body:e})=>JSON.stringify(e,null,2)}};function Je({operations:e}){let t=b(pe),[n,r]=y(null),[s,o]=y("curl");if(w(()=>r(null),[t]),!t.length)return null;let c=({operation:d})=>e.indexOf(d.name),i=n??t.reduce((d,l)=>c(l)>c(d)?l:d),p=()=>Q(i.operation.name,i.args).catch(()=>{});return a`<section class="strip" aria-label="The request of this view">
    <details>
      <summary>
        <span class="verb">GET</span> <code class="path">${i.path}</code>
        <${ro} exchange=${i} />
      </summary>
      <div class="strip-body">
        ${t.length>1&&a`<label class="field">Request
          <select value=${t.indexOf(i)} onChange=${d=>r(t[d.target.value])}>
            ${t.map((d,l)=>a`<option value=${l}>${d.status} ${d.path}</option>`)}
          </select></label>`}
        <dl class="facts">
          <div><dt>Status</dt><dd>${i.status===304?"304, unchanged":i.status||"no response"}</dd></div>
          <div><dt>Took</dt><dd>${i.milliseconds} ms</dd></div>
          <div><dt>ETag</dt><dd><code>${i.etag??"none"}</code></dd></div>
          <div><dt>Request</dt><dd><code>${i.requestId??"none"}</code></dd></div>
        </dl>
        <div class="tabs">
          ${Object.entries(Ke).map(([d,{title:l}])=>a`<button type="button" aria-pressed=${s===d} onClick=${()=>o(d)}>${l}</button>`)}
          <span class="spread"></span>
          <a href=${g("reference",i.operation.name)}>Reference</a>
          <button type="button" class="again" onClick=${p}>Send again</button>
          <${ze} text=${Ke[s].text(i)} />
        </div>
        <pre tabindex="0" role="region" aria-label=${Ke[s].title}><code>${Ke[s].text(i)}</code></pre>
      </div>
    </details>
  </section>`}function ro({exchange:{status:e,milliseconds:t}}){return a`<span class="outcome" role="status"><span class="tone-${e===200||e===304?"current":"unavailable"}">${e||"no response"}</span> <span class="quiet">${t} ms</span></span>`}function er(){let e=b(He),[t,n]=y(Date.now());if(w(()=>{let i=setInterval(()=>n(Date.now()),1e3);return()=>clearInterval(i)},[]),!e)return null;let r=e.resetAt<=t,s=r?e.limit:e.remaining,o=Math.ceil((e.resetAt-t)/1e3),c=r?"A new minute has begun; all requests are left.":`Requests that the key has left in this minute. Resets in ${o} s`;return a`<span class="quota" title=${c}>
    <meter min="0" max=${e.limit} low=${e.limit/5} value=${s} aria-label="Requests left"></meter>
    <span>${s} of ${e.limit}<span class="unit"> requests</span> left</span>
  </span>`}function oo({path:e}){return`curl -sS '${tr(e)}' \\
  -H "Authorization: Bearer $${S.variable}"`}function so({operation:e,args:t}){let n={name:e.name,arguments:Ln(e,t)},r=JSON.stringify({jsonrpc:"2.0",id:1,method:"tools/call",params:n},null,2);return`curl -sS '${S.baseUrl}/api/mcp' \\
  -H "Authorization: Bearer $${S.variable}" \\
  -H 'Content-Type: application/json' \\
  -H 'Accept: application/json, text/event-stream' \\
  --data-binary @- <<'EOF'
${r}
EOF`}function ao({path:e}){return`import json
import os
from urllib.request import Request, urlopen

request = Request(
    "${tr(e)}",
    headers={"Authorization": f"Bearer {os.environ['${S.variable}']}"},
)
with urlopen(request) as response:
    print(json.dumps(json.load(response), indent=2, ensure_ascii=False))`}var tr=e=>`${S.baseUrl}${e.replaceAll("'","%27")}`;var nr="./icon-KB2SD46C.svg";var Et={};J(Et,{Activity:()=>Mt,shows:()=>ho});var rr=302400,or=190,co=76,lo=[1,2,5].flatMap(e=>Array.from({length:12},(t,n)=>e*10**n)).sort((e,t)=>e-t),uo=new Intl.DateTimeFormat(void 0,{month:"short",day:"numeric"}),Ge=matchMedia("(prefers-color-scheme: dark)");function sr({weeks:e,counts:t,unit:n}){return a`<figure class="chart">
    <${fo} weeks=${e} counts=${t} />
    <figcaption><p role="status">${po(e,t,n)}</p></figcaption>
    <details class="more">
      <summary>As a table</summary>
      <table class="simple">
        <thead><tr><th scope="col">Week from</th><th scope="col">${n}</th></tr></thead>
        <tbody>${e.map(({start:r},s)=>a`<tr><th scope="row">${U(r)}</th>
          <td>${t[s]===null?a`<span class="quiet">not counted</span>`:D(t[s])}</td></tr>`)}</tbody>
      </table>
    </details>
  </figure>`}function po(e,t,n){let r=t.filter(i=>i!==null);if(!r.length)return"No week is counted.";let s=Math.max(...r),o=D(r.reduce((i,p)=>i+p,0)),c=s?` The most, ${D(s)}, in the week from ${U(e[t.indexOf(s)].start)}.`:"";return`${o} ${n} in ${r.length} ${r.length===1?"week":"weeks"}.${c}`}function fo({weeks:e,counts:t}){let n=A(null),r=he(()=>import("./uplot-FFLBSSUY.js")),s=$o(),o=[e.map(({start:c})=>c/1e3),t];return w(()=>{if(!r)return;let c=n.current,i=new r.uPlot(mo(r.uPlot,c),o,c),p=new ResizeObserver(()=>i.setSize({width:c.clientWidth,height:or}));return p.observe(c),()=>{p.disconnect(),i.destroy()}},[r,s,JSON.stringify(o)]),a`<div class="plot" dir="ltr" ref=${n} aria-hidden="true"></div>`}function mo(e,t){let n=o=>getComputedStyle(t).getPropertyValue(o),r={stroke:n("--quiet"),font:`13px ${n("--sans")}`,ticks:{show:!1}},s=({width:o,data:[c]})=>c.filter((i,p)=>(c.length-1-p)%Math.ceil(c.length*co/o)===0);return{width:t.clientWidth,height:or,legend:{show:!1},cursor:{show:!1},scales:{x:{range:(o,c,i)=>[c-rr,i+rr]},y:{range:(o,c,i)=>[0,Math.max(4,i*1.1)]}},axes:[{...r,size:34,grid:{show:!1},splits:s,values:(o,c)=>c.map(i=>uo.format(1e3*i))},{...r,grid:{stroke:n("--line"),width:1},incrs:lo,values:(o,c)=>c.map(D)}],series:[{},{fill:n("--accent"),stroke:n("--accent"),width:0,points:{show:!1},paths:e.paths.bars({size:[.7,48]})}]}}function $o(){let[e,t]=y(Ge.matches);return w(()=>{let n=()=>t(Ge.matches);return Ge.addEventListener("change",n),()=>Ge.removeEventListener("change",n)},[]),e}function ar(e,t){let n=new Date(e);n.setHours(0,0,0,0),n.setDate(n.getDate()-(n.getDay()+6)%7);let r=s=>{let o=new Date(n);return o.setDate(o.getDate()+7*s),o};return Array.from({length:t},(s,o)=>({start:r(o-t+1),end:r(o-t+2)}))}function ir(e,t,n){let r=t.map(s=>new Date(s));return e.map(({start:s,end:o})=>s<n?null:r.filter(c=>c>=s&&c<o).length)}var ho=()=>"messages and mentions per week",_o=12,cr=100,lr=10;function Mt(){let e=b($e),t=n=>!e||le(n).scopes.some(r=>e.includes(r));return a`
    <h1>Activity</h1>
    ${t("list_telegram_messages")&&a`<${go} />`}
    ${t("list_x_mentions")&&a`<${vo} />`}
    <section aria-labelledby="history">
      <h2 id="history">Freshness</h2>
      <p class="quiet">The API gives the last update of each source and no earlier ones, so there is no history to draw.
        The <a href=${g("explore")}>overview</a> shows how old each source is.</p>
    </section>
  `}function go(){let{query:e}=b(N),{body:t,error:n,retry:r}=P("list_telegram_chats",{}),s=t?.data.find(o=>o.id===e.chat)??t?.data[0];return a`<section aria-labelledby="messages">
    <h2 id="messages">Messages per week</h2>
    ${n&&a`<${O} error=${n} retry=${r} />`}
    ${!t&&!n&&a`<${C} />`}
    ${t&&!s&&a`<${R}>No linked chat is approved.<//>`}
    ${s&&a`
      <div class="filters"><label class="field wide">Chat
        <select value=${s.id} onChange=${o=>T({chat:o.target.value})}>
          ${t.data.map(({id:o,title:c})=>a`<option value=${o}>${c}</option>`)}
        </select></label></div>
      <${yo} key=${s.id} chat=${s} />`}
  </section>`}function ur({unit:e,operation:t,args:n,moment:r,next:s}){let[o,c]=y(1),{bodies:i,error:p,isLoading:d,hasMore:l,more:m}=ee(t,{...n,limit:cr},s),f=i.flatMap(({data:$})=>$.map(r)),u=ar(f[0]??Date.now(),_o),h=new Date(f.at(-1)??Date.now()),k=l&&h>u[0].start,_=k&&!d&&!p&&i.length<o;return w(()=>{_&&m()},[_,i.length]),p?a`<${O} error=${p} retry=${m} />`:d||_?a`<${C} />`:f.length?a`
    <${sr} weeks=${u} counts=${ir(u,f,k?h:0)} unit=${e} />
    ${k&&a`<p class="actions"><span class="quiet">The newest ${f.length} ${e} are counted.</span>
      <button type="button" onClick=${()=>c(i.length+lr)}>Count ${lr*cr} more</button></p>`}
  `:a`<${R}>None is stored.<//>`}function yo({chat:e}){return a`<${ur} unit="messages" operation="list_telegram_messages" args=${{chatId:e.id}} moment=${({sentAt:t})=>t}
    next=${({pagination:t},n)=>t.hasMore?{...n,before:t.nextBefore}:null} />`}function vo(){return a`<section aria-labelledby="mentions">
    <h2 id="mentions">Mentions per week</h2>
    <${ur} unit="mentions" operation="list_x_mentions" args=${{page:1}} moment=${({createdAt:e})=>e}
      next=${({pagination:e},t)=>e.hasNextPage?{...t,page:t.page+1}:null} />
  </section>`}var Pt={};J(Pt,{Assets:()=>Nt,operations:()=>bo,shows:()=>wo});var bo=["list_assets","read_asset"],wo=({values:[e]})=>e?`the file or folder ${e}`:"the names, sizes and dates of files",ko=(e,t)=>e.pagination.hasNextPage?{...t,page:e.pagination.page+1}:null;function Nt({values:e}){return a`
    <h1>Files</h1>
    <p class="quiet">Names, sizes and dates. The contents of files are never served.</p>
    <div class="split">
      <div class="tree"><${pr} isRoot=${!0} chosen=${e[0]} /></div>
      <div class="detail">${e[0]?a`<${So} id=${e[0]} />`:a`<${R}>Select a file or a folder.<//>`}</div>
    </div>
  `}function pr({id:e,isRoot:t,chosen:n}){let{bodies:r,error:s,isLoading:o,hasMore:c,more:i}=ee("list_assets",{folderId:e},ko),p=r.flatMap(d=>d.data);return a`
    ${s&&a`<${O} error=${s} retry=${i} />`}
    ${!o&&!s&&!p.length&&a`<p class="quiet">Empty.</p>`}
    <ul>${p.map(d=>a`<${xo} key=${d.id} asset=${d} chosen=${n} />`)}</ul>
    ${o&&a`<${C} />`}
    ${c&&!o&&a`<button type="button" class="more" onClick=${i}>Load more</button>`}
    ${t&&r[0]&&a`<${F} meta=${r[0].meta} />`}
  `}function xo({asset:e,chosen:t}){let[n,r]=y(!1),s=a`<a href=${g("explore","assets",[e.id])} aria-current=${t===e.id?"true":void 0} dir="auto">${e.name}</a>`;return e.kind==="file"?a`<li class="file">${s} <span class="quiet">${Ae(e.bytes)}</span>${e.public&&a` <span class="chip">public</span>`}</li>`:a`<li class="folder">
    <button type="button" class="twist" aria-expanded=${n} aria-label=${`Contents of ${e.name}`} onClick=${()=>r(!n)}></button>
    ${s}
    ${n&&a`<${pr} id=${e.id} chosen=${t} />`}
  </li>`}function So({id:e}){let{body:t,error:n,retry:r}=P("read_asset",{id:e});if(n)return a`<${O} error=${n} retry=${r} />`;if(!t)return a`<${C} />`;let{data:s}=t,o=(c,i)=>a`<div><dt>${c}</dt><dd dir="auto">${i}</dd></div>`;return a`<section class="card" aria-label="Selected">
    <p class="eyebrow">${s.kind}</p>
    <h2 dir="auto">${s.name}</h2>
    <dl class="facts">
      ${s.kind==="file"&&o("Size",`${Ae(s.bytes)} (${s.bytes} bytes)`)}
      ${s.mime&&o("Type",s.mime)}
      ${o("Visible",s.public?"to everybody":"to the organization")}
      ${s.publicUrl&&o("Address",a`<${j} url=${s.publicUrl} />`)}
      ${s.uploadedBy&&o("From",s.uploadedBy.displayName??s.uploadedBy.id)}
      ${o("Created",G(s.createdAt))}
      ${o("Changed",G(s.updatedAt))}
      ${s.parentId&&o("In",a`<a href=${g("explore","assets",[s.parentId])}>its folder</a>`)}
      ${o("Id",a`<code>${s.id}</code>`)}
    </dl>
    <${F} meta=${t.meta} />
  </section>`}var Dt={};J(Dt,{Chats:()=>Lt,operations:()=>It,queries:()=>Ao,shows:()=>Co});var It=["list_telegram_chats","list_telegram_messages"],Co=({values:[e],query:{around:t,q:n}})=>e?n?`the messages of a chat that contain “${n}”`:t?`message ${t} of a chat, between its neighbors`:"the messages of a chat":"the linked chats",Ao={list_telegram_messages:Oo},To=2**31-1;function Oo({before:e,...t}){return t.limit==="1"&&e>1?{around:e-1}:{before:e,...t}}function Lt({values:e,query:t}){let{before:n,around:r}=t;return e[0]?a`<${Mo} key=${`${e[0]} ${n} ${r}`} id=${e[0]} before=${n} around=${r} />`:a`<${qo} />`}function qo(){let{query:e}=b(N),t=Number(e.page??1),{body:n,error:r,retry:s}=P("list_telegram_chats",{page:t});return r?a`<${O} isWhole error=${r} retry=${s} />`:n?a`
    <h1>Chats</h1>
    ${!n.data.length&&a`<${R}>No linked chat is approved.<//>`}
    <ul class="cards">
      ${n.data.map(o=>a`<li class="card" key=${o.id}>
        <p class="eyebrow">${o.type}</p>
        <h2 dir="auto"><a href=${g("explore","chats",[o.id])}>${o.title}</a></h2>
        ${o.username&&a`<p class="quiet" dir="ltr">@${o.username}</p>`}
        <dl class="figures">
          <div><dt>messages</dt><dd>${D(o.trackedMessageCount)}</dd></div>
          <div><dt>members</dt><dd>${We(o.memberCount)}</dd></div>
          <div><dt>last</dt><dd><${M} at=${o.lastMessageAt} /></dd></div>
        </dl>
        <p class="quiet">Linked ${U(o.linkedAt)}</p>
      </li>`)}
    </ul>
    <${ne} pagination=${n.pagination} page=${t} onPage=${o=>T({page:o})} />
    <${F} meta=${n.meta} />
  `:a`<${C} />`}function Mo({id:e,before:t,around:n}){let{query:r}=b(N),s=te(r.q??""),c=P("list_telegram_chats",{}).body?.data.find($=>$.id===e),{bodies:i,error:p,isLoading:d,hasMore:l,more:m}=ee("list_telegram_messages",{chatId:e,q:s,...s?{}:{before:t,around:n}},({pagination:$})=>$.hasMore?{chatId:e,q:s,before:$.nextBefore}:null),f=i.flatMap($=>$.data).reverse(),u=s?null:Number(n)||null,h=f.some($=>$.id===u),k=Eo(f.length),_=$=>g("explore","chats",[e],{around:$});return a`
    <p class="crumb"><a href=${g("explore","chats")}>Chats</a></p>
    <h1 dir="auto">${c?.title??"Conversation"}</h1>
    <form class="filters" role="search" onSubmit=${$=>$.preventDefault()}>
      <label class="field wide">Search in this chat
        <input type="search" maxlength="200" value=${r.q??""} dir="auto" onInput=${$=>T({q:$.target.value})} /></label>
      ${(t||n)&&a`<a class="button" href=${g("explore","chats",[e])}>Newest messages</a>`}
    </form>
    ${p&&a`<${O} error=${p} retry=${m} />`}
    ${i[0]?.pagination.searchLimited&&a`<p class="quiet">Only the newest messages were searched.</p>`}
    ${u&&f.length>0&&!h&&a`<p class="quiet" role="status">Message ${u} is not stored. These are the messages around it.</p>`}
    <div class="conversation" ref=${k} tabindex="0" role="region" aria-label="Messages">
      <p class="older">
        ${d?a`<${C} />`:l?a`<button type="button" class="more" onClick=${m}>Older messages</button>`:a`<span class="quiet">${f.length?"Beginning of the stored messages.":"No message matches."}</span>`}
      </p>
      <ol>${f.map(($,v)=>a`<${No} key=${$.id} message=${$} previous=${f[v-1]}
        quoted=${f.find(I=>I.id===$.replyToMessageId)} term=${s} isHit=${$.id===u} link=${_} />`)}</ol>
      ${u&&f.at(-1)?.id>u&&a`<p class="older"><a class="button" href=${_(f.at(-1).id)}>Newer messages</a></p>`}
    </div>
    ${i[0]&&a`<${F} meta=${i[0].meta} />`}
  `}function Eo(e){let t=A(null),n=A(null);return xe(()=>{let r=t.current;if(!e)return;let s=r.scrollHeight>r.clientHeight,o=s?r:document.scrollingElement,c=s?r:document,i=()=>{n.current=o.scrollHeight-o.clientHeight-o.scrollTop},p=n.current===null&&r.querySelector("[aria-current]");return p?p.scrollIntoView({block:"center"}):o.scrollTop=o.scrollHeight-o.clientHeight-(n.current??0),i(),c.addEventListener("scroll",i,{passive:!0}),()=>c.removeEventListener("scroll",i)},[e]),t}function No({message:e,previous:t,quoted:n,term:r,isHit:s,link:o}){let{id:c,sender:i,text:p,detail:d,kind:l,file:m,sentAt:f,editedAt:u,replyToMessageId:h}=e,k=!t||U(t.sentAt)!==U(f),_=k||t.sender.name!==i.name;return a`
    ${k&&a`<li class="day">${U(f)}</li>`}
    <li class=${`message${s?" hit":""}`} aria-current=${s?"true":void 0}>
      ${_&&a`<p class="sender" dir="auto">${i.name} ${i.username&&a`<span class="quiet" dir="ltr">@${i.username}</span>`}</p>`}
      <div class="bubble">
        ${h!==null&&a`<p class="quoted" dir="auto"><${Po} id=${h} quoted=${n} link=${o} /></p>`}
        ${l!=="text"&&a`<p class="attachment" dir="auto"><span class="kind">${l}</span> <${Io} file=${m} term=${r} /></p>`}
        ${d&&a`<p class="quiet" dir="auto"><${H} text=${d} term=${r} /></p>`}
        ${p&&a`<p class="text" dir="auto"><${H} text=${p} term=${r} /></p>`}
        <p class="when"><a href=${o(c)} aria-label=${`Message ${c}, ${G(f)}`}><${M} at=${f}>${St(f)}<//></a>${u&&a` <span>edited <${M} at=${u}>${St(u)}<//></span>`}</p>
      </div>
    </li>`}function Po({id:e,quoted:t,link:n}){let r=t?`${t.sender.name}: ${t.text??t.detail??t.kind}`:`in reply to ${e}`;return e>=1&&e<=To?a`<a href=${n(e)}>${r}</a>`:r}function Io({file:e,term:t}){if(!e)return null;let{fileName:n,width:r,height:s,duration:o,mimeType:c,fileSize:i,sticker:p}=e,d=[p,r&&s&&`${r} × ${s}`,o!==null&&zn(o),c,i!==null&&Ae(i)];return a`${n&&a`<${H} text=${n} term=${t} /> `}<span class="quiet">${d.filter(Boolean).join(" · ")}</span>`}function dr({view:e}){let t=S.clients.find(n=>n.name===e)??S.clients[0];return a`
    <div class="masthead">
      <h1>Connect a client</h1>
      <p class="lead">Set <code>${S.variable}</code> to the key. Configurations contain the name of this variable, never the key.</p>
      <dl class="facts">
        <div><dt>MCP</dt><dd><code>${S.baseUrl}/api/mcp</code></dd></div>
        <div><dt>REST</dt><dd><code>${S.baseUrl}/api/v1</code></dd></div>
      </dl>
    </div>
    <div class="split side">
      <nav aria-label="Clients"><ul class="menu">
        ${S.clients.map(({name:n,title:r})=>a`<li><a href=${g("connect",n)} aria-current=${n===t.name?"page":void 0}>${r}</a></li>`)}
      </ul></nav>
      <section aria-labelledby="client">
        <h2 id="client">${t.title}</h2>
        <p>${t.place}</p>
        <${Ve} text=${t.configuration} label=${`Configuration for ${t.title}`} />
        <p class="quiet">In a shell: <code>orgctx connect ${t.name} --base-url ${S.baseUrl}</code></p>
      </section>
    </div>
    <p class="notice">Text from sources is untrusted data, never an instruction; every tool result says so.</p>
  `}var Ft={};J(Ft,{Knowledge:()=>Rt,operations:()=>Ro,shows:()=>Fo});function Xe({text:e,term:t}){let n=he(()=>import("./markdown-Y5HIW46E.js")),r=A(null);return xe(()=>{if(!n)return;let s=n.renderedLine(e);t&&Lo(s,t),r.current.replaceChildren(s)},[n,e,t]),n?a`<p key="line" dir="auto" ref=${r}></p>`:a`<p key="text" dir="auto">${e}</p>`}function Lo(e,t){let n=document.createTreeWalker(e,NodeFilter.SHOW_TEXT),r=[];for(;n.nextNode();)r.push(n.currentNode);for(let s of r){let o=s.data.split(Ot(t));o.length>1&&s.replaceWith(...o.map((c,i)=>i%2?Do(c):c))}}function Do(e){let t=document.createElement("mark");return t.textContent=e,t}var fr=new Map;function mr(e,t,n={}){for(let r of t)fr.set(r,{view:e,toQuery:n[r]??(s=>s)})}function re(e){let t=Ue(e),n=t&&fr.get(t.operation.name);if(!n)return null;let{limit:r,...s}=n.toQuery(Object.fromEntries(t.query));return g("explore",n.view,t.values,s)}var Ro=["list_knowledge","read_knowledge"],Fo=({values:[e],query:{q:t}})=>e?`the document or note ${e}`:`documents and notes${t?` that contain “${t}”`:""}`,jo={"":"Everything",source:"Documents",note:"Notes"},Uo={"":"Public and team",public:"Public",team:"Team"};function Rt({values:e}){return e[0]?a`<${zo} key=${e[0]} id=${e[0]} />`:a`<${Ho} />`}function Ho(){let{query:e}=b(N),t=te(e.q??""),n=Number(e.page??1),{kind:r,visibility:s,archived:o}=e,{body:c,error:i,retry:p}=P("list_knowledge",{q:t,kind:r,visibility:s,archived:o,page:n}),d=(l,m)=>a`<select value=${e[l]??""} onChange=${f=>T({[l]:f.target.value,page:""})}>
    ${Object.entries(m).map(([f,u])=>a`<option value=${f}>${u}</option>`)}
  </select>`;return a`
    <h1>Library</h1>
    <form class="filters" role="search" onSubmit=${l=>l.preventDefault()}>
      <label class="field wide">Text
        <input type="search" maxlength="200" value=${e.q??""} dir="auto"
          onInput=${l=>T({q:l.target.value,page:""})} /></label>
      <label class="field">Kind ${d("kind",jo)}</label>
      <label class="field">For ${d("visibility",Uo)}</label>
      <label class="check"><input type="checkbox" checked=${o==="true"}
        onChange=${l=>T({archived:l.target.checked?"true":"",page:""})} /> Archived</label>
    </form>
    ${i&&a`<${O} error=${i} retry=${p} />`}
    ${!c&&!i&&a`<${C} />`}
    ${c&&a`
      ${!c.data.length&&a`<${R}>No document or note matches.<//>`}
      <ol class="results">${c.data.map(l=>a`<${Bo} key=${l.id} item=${l} term=${t} />`)}</ol>
      <${ne} pagination=${c.pagination} page=${n} onPage=${l=>T({page:l})} />
      <${F} meta=${c.meta} />`}
  `}function Bo({item:e,term:t}){return a`<li>
    <h2 dir="auto"><a href=${g("explore","knowledge",[e.id])}><${H} text=${e.title} term=${t} /></a></h2>
    <${Xe} text=${e.preview} term=${t} />
    <${$r} item=${e} />
  </li>`}function $r({item:e}){let{source:t,sourceLabel:n,sourceHref:r,sourceStatus:s,visibility:o,archived:c,updatedAt:i}=e;return a`<p class="byline">
    <span class="kind">${t}</span>
    <span dir="auto">${r?a`<${Wo} href=${r} label=${n} />`:n}</span>
    <${M} at=${i} />
    ${o==="team"&&a`<span class="chip">team</span>`}
    ${c&&a`<span class="chip">archived</span>`}
    ${s!=="current"&&a`<span class="chip">${s}</span>`}
  </p>`}function Wo({href:e,label:t}){let n=re(e);return n?a`<a href=${n}>${t}</a>`:a`<${j} url=${e}>${t}<//>`}function zo({id:e}){let[t,n]=y(!1),{bodies:r,error:s,isLoading:o,hasMore:c,more:i}=ee("read_knowledge",{id:e},f=>{let{nextOffset:u}=f.data.contentRange;return u===null?null:{id:e,offset:u}}),p=Rn(i,c&&!o&&!s),d=r[0]?.data,l=r.at(-1)?.data.contentRange,m=l&&l.offset+l.length;return a`
    <p class="crumb"><a href=${g("explore","knowledge")}>Library</a></p>
    ${d&&a`
      <article class="document" aria-busy=${o}>
        <header>
          <h1 dir="auto">${d.title}</h1>
          <${$r} item=${d} />
          <div class="reading">
            <meter min="0" max=${l.total||1} value=${l.total?m:1} aria-label="Loaded part"></meter>
            <span class="quiet">${D(m)} of ${D(l.total)}${c?"; scroll to load the rest":""}</span>
            ${d.contentFormat==="markdown"&&a`<span class="segmented" role="group" aria-label="Show as">
              <button type="button" aria-pressed=${!t} onClick=${()=>n(!1)}>Rendered</button>
              <button type="button" aria-pressed=${t} onClick=${()=>n(!0)}>Plain</button>
            </span>`}
          </div>
        </header>
        ${t||d.contentFormat!=="markdown"?a`<div class="plain-text" dir="auto">${r.map(f=>f.data.content).join("")}</div>`:a`<${Vo} bodies=${r} isWhole=${!c} />`}
        <footer class="quiet">Created ${U(d.createdAt)} · <code>${d.id}</code></footer>
      </article>
      <${F} meta=${r[0].meta} />`}
    ${s&&a`<${O} isWhole=${!d} error=${s} retry=${i} />`}
    ${o&&a`<${C} />`}
    <div ref=${p}></div>
  `}function Vo({bodies:e,isWhole:t}){let n=A(null),r=A({count:0,rest:"",env:{}}),s=he(()=>import("./markdown-Y5HIW46E.js"));w(()=>{if(!s)return;let{cut:c,rendered:i}=s,p=r.current;p.tail?.forEach(m=>m.remove()),p.tail=null,p.rest+=e.slice(p.count).map(m=>m.data.content).join(""),p.count=e.length;let[d,l]=t?[p.rest,""]:c(p.rest);if(d&&n.current.append(i(d,p.env)),p.rest=l,l){let m=i(l,{...p.env});p.tail=[...m.childNodes],n.current.append(m)}},[s,e.length,t]);let o=c=>{let i=c.target.closest("button.outbound");i&&qt(i.address)};return a`${!s&&a`<${C} />`}<div class="prose" ref=${n} onClick=${o}></div>`}var Ht={};J(Ht,{Mentions:()=>Ut,operations:()=>jt,shows:()=>Ko});var jt=["list_x_mentions"],Ko=()=>"the posts that mention the organization";function Ut(){let{query:e}=b(N),t=Number(e.page??1),{body:n,error:r,retry:s}=P("list_x_mentions",{page:t});return a`
    <h1>Mentions</h1>
    ${r&&a`<${O} error=${r} retry=${s} />`}
    ${!n&&!r&&a`<${C} />`}
    ${n&&a`
      <${F} meta=${n.meta} />
      ${!n.data.length&&a`<${R}>No post is stored.<//>`}
      <ul class="cards posts">${n.data.map(o=>a`<${Jo} key=${o.id} post=${o} />`)}</ul>
      <${ne} pagination=${n.pagination} page=${t} onPage=${o=>T({page:o})} />`}
  `}function Jo({post:e}){let{author:t,text:n,createdAt:r,metrics:s,media:o,quoted:c,isReply:i,isRepost:p,url:d}=e,l=Object.values(s).some(Boolean),m=(f,u)=>f==="views"||!l?We(u):Ct(u);return a`<li class="card">
    <p class="byline"><${hr} author=${t} /> <${M} at=${r} />
      ${i&&a`<span class="chip">reply</span>`}${p&&a`<span class="chip">repost</span>`}</p>
    <p class="text" dir="auto">${n}</p>
    ${o.length>0&&a`<ul class="plain-list media">${o.map(f=>a`<li><span class="kind">${f.type}</span> <${j} url=${f.url} />
      ${f.previewUrl!==f.url&&a`<${j} url=${f.previewUrl} />`}</li>`)}</ul>`}
    ${c&&a`<blockquote><p class="byline"><${hr} author=${c.author} /></p><p class="text" dir="auto">${c.text}</p><p><${j} url=${c.url}>Open the post<//></p></blockquote>`}
    <dl class="figures">${Object.entries(s).map(([f,u])=>a`<div><dt>${f}</dt><dd title=${D(u)}>${m(f,u)}</dd></div>`)}</dl>
    <p class="byline"><${j} url=${d}>Open the post<//> <code>${e.id}</code></p>
  </li>`}function hr({author:e}){return a`<strong dir="auto">${e.name}</strong> <span class="quiet" dir="ltr">@${e.username}${e.verified&&" · verified"}</span>`}var zt={};J(zt,{Overview:()=>Wt,operations:()=>Qo,shows:()=>es});var Bt=60,Go=3*31557600,_r=[[3600,"hour"],[86400,"day"],[604800,""],[2629800,"month"],[31557600,"year"]],Ze=360;function Oe(e){let t=Math.log(Math.max(e,Bt)/Bt)/Math.log(Go/Bt);return Math.round(10+Math.min(1,t)*(Ze-20))}function gr({sources:e}){return e.length?a`<section class="freshness-picture" aria-labelledby="freshness-title">
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
          <th scope="col" class="line"><span class="sr">On a time axis</span><${Zo} /></th>
        </tr>
      </thead>
      <tbody>${e.map(t=>a`<${Xo} key=${t.id} source=${t} />`)}</tbody>
    </table>
  </section>`:a`<${R}>No source is approved for this key. An owner or admin can approve sources.<//>`}function Xo({source:e}){let{label:t,kind:n,count:r,description:s,href:o,status:c,updatedAt:i,staleAfterSeconds:p}=e,d=re(o);return a`<tr>
    <th scope="row">
      <span class="label" dir="auto">${d?a`<a href=${d}><${H} text=${t} /></a>`:t}</span>
      <span class="kind">${n}${r!==void 0&&` · ${r}`}</span>
      <span class="quiet about" dir="auto">${s}</span>
    </th>
    <td><${ye} status=${c} /></td>
    <td><${M} at=${i} /><span class="quiet about">${p===void 0?"no freshness target":`stale after ${Wn(p)}`}</span></td>
    <td class="line"><${Yo} status=${c} updatedAt=${i} target=${p} /></td>
  </tr>`}function Zo(){return a`<svg viewBox="0 0 ${Ze} 16" aria-hidden="true" class="scale">
    <text x="10" y="12">now</text>
    ${_r.map(([e,t])=>a`<text x=${Oe(e)} y="12" text-anchor="middle">${t}</text>`)}
  </svg>`}function Yo({status:e,updatedAt:t,target:n}){let r=t?Oe(At(t)):null,s=n===void 0?null:Oe(n),o=s!==null&&r!==null&&r>s;return a`<svg viewBox="0 0 ${Ze} 28" aria-hidden="true" class="age tone-${e}">
    ${_r.map(([c])=>a`<line class="tick" x1=${Oe(c)} x2=${Oe(c)} y1="0" y2="28" />`)}
    <line class="base" x1="10" x2=${Ze-10} y1="14" y2="14" />
    ${s!==null&&a`<rect class="promise" x="10" y="8" width=${s-10} height="12" rx="3" />`}
    ${o&&a`<line class="late" x1=${s} x2=${r} y1="14" y2="14" />`}
    ${r!==null&&a`<${Te} status=${e} x=${r-10} y="4" width="20" height="20" />`}
  </svg>`}var Qo=["get_context","list_sources"],es=()=>"the organization, its sources, and how fresh each of them is";function Wt(){let{body:e,error:t,retry:n}=P("get_context",{});if(t)return a`<${O} isWhole error=${t} retry=${n} />`;if(!e)return a`<${C} />`;let{organization:r,grantedScopes:s,sources:o,connections:c}=e.data;return a`
    <div class="masthead">
      <p class="eyebrow">Organization</p>
      <h1 dir="auto">${r.displayName??"Organization"}</h1>
      <p class="quiet">
        ${r.slug&&a`<code>${r.slug}</code> · `}
        ${r.createdAt&&a`since ${U(r.createdAt)} · `}
        ${o.length} ${o.length===1?"source":"sources"}
      </p>
      ${!r.displayName&&a`<p class="quiet">Its name is in the <code>profile</code> source, which this key does not read.</p>`}
      <ul class="chips" aria-label="Scopes of this key">
        ${s.map(i=>a`<li class="chip"><code>${i}</code></li>`)}
      </ul>
    </div>
    <${gr} sources=${o} />
    <details class="more">
      <summary>Identifiers and connections</summary>
      <dl class="facts">
        <div><dt>Organization</dt><dd><code>${r.id}</code></dd></div>
        ${o.map(({id:i,label:p,href:d})=>a`<div><dt dir="auto">${p}</dt><dd><code>${i}</code>, <code>${d}</code></dd></div>`)}
        ${Object.entries(c).map(([i,p])=>a`<div><dt>${i}</dt><dd>${ts(p)}</dd></div>`)}
      </dl>
    </details>
  `}function ts(e){return Object.entries(e).filter(([,n])=>n!==null&&typeof n!="object").map(([n,r])=>`${n} ${r}`).join(", ")}var Kt={};J(Kt,{People:()=>Vt,operations:()=>ns,shows:()=>rs});var ns=["list_people","read_person"],rs=({values:[e],query:{q:t}})=>e?`the person ${e} and their latest activity`:`people${t?` named “${t}”`:""}, by their latest activity`;function Vt({values:e}){return e[0]?a`<${ss} key=${e[0]} id=${e[0]} />`:a`<${os} />`}function os(){let{query:e}=b(N),t=te(e.q??""),n=Number(e.page??1),{body:r,error:s,retry:o}=P("list_people",{q:t,page:n}),c=Math.max(1,...(r?.data??[]).map(i=>i.activityCount));return a`
    <h1>People</h1>
    <p class="quiet">The latest active first. The bar shows how many messages and posts each of them wrote.</p>
    <form class="filters" role="search" onSubmit=${i=>i.preventDefault()}>
      <label class="field wide">Name
        <input type="search" maxlength="200" value=${e.q??""} dir="auto" onInput=${i=>T({q:i.target.value,page:""})} /></label>
    </form>
    ${s&&a`<${O} error=${s} retry=${o} />`}
    ${!r&&!s&&a`<${C} />`}
    ${r&&a`
      ${r.pagination.searchLimited&&a`<p class="quiet">Only the most recently active people were searched.</p>`}
      ${!r.data.length&&a`<${R}>No person in an approved source matches.<//>`}
      <ul class="people">${r.data.map(i=>a`<li key=${i.key}>
        <a href=${g("explore","people",[i.key])} dir="auto"><${H} text=${i.displayName} term=${t} /></a>
        <span class="quiet" dir="ltr">${i.username?a`@<${H} text=${i.username} term=${t} />`:""}</span>
        <span class="kind">${i.platform}</span>
        <span class="activity"><meter min="0" max=${c} value=${i.activityCount} aria-label="Activity"></meter> ${D(i.activityCount)}</span>
        <span class="quiet"><${M} at=${i.lastActiveAt} /></span>
      </li>`)}</ul>
      <${ne} pagination=${r.pagination} page=${n} onPage=${i=>T({page:i})} />
      <${F} meta=${r.meta} />`}
  `}function ss({id:e}){let{body:t,error:n,retry:r}=P("read_person",{key:e});if(n)return a`<${O} isWhole error=${n} retry=${r} />`;if(!t)return a`<${C} />`;let{data:s}=t;return a`
    <p class="crumb"><a href=${g("explore","people")}>People</a></p>
    <div class="masthead">
      <p class="eyebrow">${s.platform}${s.verified&&" · verified"}</p>
      <h1 dir="auto">${s.displayName}</h1>
      <p class="quiet">
        ${s.username&&a`<span dir="ltr">@${s.username}</span> · `}
        ${D(s.activityCount)} in all · since ${U(s.firstActiveAt)} · last <${M} at=${s.lastActiveAt} />
      </p>
      ${s.profileUrl&&a`<p><${j} url=${s.profileUrl} /></p>`}
      <p class="quiet"><code>${s.key}</code></p>
    </div>
    <h2>Sources</h2>
    <ul class="plain-list">${s.sources.map(o=>a`<li key=${o.sourceId}>
      <span dir="auto">${o.label}</span> <span class="quiet">${D(o.activityCount)} · last <${M} at=${o.lastActiveAt} /></span>
    </li>`)}</ul>
    <h2>Latest activity</h2>
    <ol class="timeline">${s.recentActivity.map(o=>a`<li key=${o.id}>
      <p class="byline"><span class="kind">${o.kind}</span> <${M} at=${o.at} /></p>
      <p dir="auto"><${as} one=${o} /></p>
    </li>`)}</ol>
    <${F} meta=${t.meta} />
  `}function as({one:e}){let t=re(e.href),n=e.preview||`without text (${e.id})`;return t?a`<a href=${t}>${n}</a>`:e.href?a`<${j} url=${e.href}>${n}<//>`:n}var Jt=null;function vr({view:e}){let[{spec:t,isFailed:n},r]=y({}),s=b(V);return w(()=>{Jt??=fetch("api/v1/openapi.json").then(o=>o.json()),Jt.then(o=>r({spec:o}),()=>{Jt=null,r({isFailed:!0})})},[]),a`
    <div class="masthead">
      <h1>Reference</h1>
      <p class="lead">The OpenAPI 3.1 document of this service: <a href="api/v1/openapi.json">api/v1/openapi.json</a></p>
      <p>Paths are below <code>${S.baseUrl}/api/v1</code>. Send the key in the header
        ${" "}<code>Authorization: Bearer API_KEY</code>. <a href=${g("connect")}>Connect</a> has programs to start from.</p>
    </div>
    ${!s&&a`<section class="card entrance" aria-labelledby="try"><h2 id="try">Try it</h2>
      <p>Paste a key, and each operation below sends its request with it.</p><${_e} action="Use key" /></section>`}
    <nav class="operations" aria-label="Operations"><ul class="chips">
      ${S.operations.map(({name:o,title:c})=>a`<li><a class="chip" href=${g("reference",o)} aria-current=${o===e?"page":void 0}>${c}</a></li>`)}
    </ul></nav>
    <h2 class="sr">Operations</h2>
    ${n&&a`<p role="alert">The document could not be loaded. Reload the page to try again.</p>`}
    ${!t&&!n&&a`<${C} />`}
    ${t&&S.operations.map(o=>a`<${is} key=${o.name} spec=${t} operation=${o} isChosen=${o.name===e} />`)}
    <${Je} operations=${[]} />
  `}function is({spec:e,operation:t,isChosen:n}){let r=A(null),[s,o]=y(n);w(()=>{n&&(r.current.open=!0,r.current.firstElementChild.focus({preventScroll:!0}),r.current.scrollIntoView())},[n]);let c=()=>o(r.current.open),i=()=>r.current.open||history.replaceState(null,"",g("reference",t.name));return a`<details class="card operation" id="operation-${t.name}" ref=${r} onToggle=${c}>
    <summary onClick=${i}><span class="verb">GET</span> <code class="path">${t.path}</code> <h3>${t.title}</h3></summary>
    ${s&&a`<${cs} spec=${e} operation=${t} />`}
  </details>`}function cs({spec:e,operation:t}){let{description:n,parameters:r=[],responses:s}=e.paths[t.path].get,{schema:o,examples:c}=s[200].content["application/json"];return a`
    ${n.split(`

`).map(i=>a`<p><${Gt} text=${i} /></p>`)}
    <${ls} operation=${t} parameters=${r.map(i=>Xt(e,i))} />
    <h4>Responses</h4>
    <dl class="facts">${Object.entries(s).map(([i,p])=>a`<div><dt>${i}</dt><dd><${Gt} text=${Xt(e,p).description} /></dd></div>`)}</dl>
    <${yr} title="Example" of=${t.title} value=${Object.values(c)[0].value} />
    <${yr} title="JSON Schema" of=${t.title} value=${Ye(e,o)} />
  `}function ls({operation:e,parameters:t}){let[{exchange:n,isSent:r},s]=y({}),o=`parameter-${e.name}`;return a`<form class="trial" autocomplete="off" onSubmit=${i=>{i.preventDefault();let p=new FormData(i.target),d=Object.entries(e.arguments).map(([m,{path:f}])=>[m,p.get(f??m).trim()]),l=m=>s({exchange:m});s({isSent:!0}),Q(e.name,Object.fromEntries(d)).then(l,m=>l(m.exchange))}}>
    ${t.map(({name:i,description:p,required:d,schema:l,example:m})=>a`<div>
      <label for="${o}-${i}"><code>${i}</code></label>
      <${us} id="${o}-${i}" name=${i} required=${d} schema=${l} example=${m} />
      <p class="quiet" id="${o}-${i}-note"><${Gt} text=${p} />${d?" Required.":""}${!d&&m!==void 0&&a` Example: <code>${String(m)}</code>`}</p>
    </div>`)}
    <p class="actions"><button class="primary" type="submit" disabled=${r}>Execute</button></p>
    <div role="status">${n&&a`<p class="tone-${n.status<400&&n.status?"current":"unavailable"}">${n.status||"No response"}</p>
      <pre tabindex="0" role="region" aria-label="Answer of ${e.name}"><code>${br(n.body)}</code></pre>`}</div>
  </form>`}function us({id:e,name:t,required:n,schema:r,example:s}){let o=r.type==="boolean"?["true","false"]:r.enum,c={id:e,name:t,required:n,"aria-describedby":`${e}-note`};return o?a`<select ...${c}><option value="">${r.default===void 0?"":`default: ${r.default}`}</option>${o.map(i=>a`<option>${i}</option>`)}</select>`:a`<input ...${c} defaultValue=${n?s:void 0} />`}function yr({title:e,of:t,value:n}){return a`<details><summary>${e}</summary><pre tabindex="0" role="region" aria-label="${e}: ${t}"><code>${br(n)}</code></pre></details>`}function Gt({text:e}){return e.split("`").map((t,n)=>n%2?a`<code>${t}</code>`:t)}var br=e=>JSON.stringify(e,null,2);function Xt(e,t){return t.$ref?t.$ref.slice(2).split("/").reduce((n,r)=>n[r],e):t}function Ye(e,t,n=[]){return Array.isArray(t)?t.map(r=>Ye(e,r,n)):typeof t!="object"||t===null||n.includes(t.$ref)?t:t.$ref?Ye(e,Xt(e,t),[...n,t.$ref]):Object.fromEntries(Object.entries(t).map(([r,s])=>[r,Ye(e,s,n)]))}var en={};J(en,{Search:()=>Qt,operations:()=>ps,shows:()=>ds});var ps=["search_context"],ds=({query:{q:e}})=>e?`the records that contain “${e}”`:"the newest records of all sources",fs=20,wr=50;function Qt(){let{query:e}=b(N),[t,n]=y(fs),r=te(e.q??""),s={q:r,source:e.source,after:kr(e.after),before:kr(e.before,1),limit:t},{body:o,error:c,isLoading:i,retry:p}=P("search_context",s),d=P("list_sources",{});return a`
    <h1 class="sr">Search</h1>
    <form class="searching" role="search" onSubmit=${l=>l.preventDefault()}>
      <label class="big"><span class="sr">Search all sources</span>
        <input type="search" maxlength="200" placeholder="Search all sources" value=${e.q??""}
          onInput=${l=>T({q:l.target.value})} dir="auto" />
      </label>
      <div class="filters">
        <label class="field">Source
          <select value=${e.source??""} onChange=${l=>T({source:l.target.value})}>
            <option value="">All</option>
            ${(d.body?.data??[]).map(l=>a`<option value=${l.id}>${l.label}</option>`)}
          </select></label>
        <label class="field">From
          <input type="date" value=${e.after??""} onChange=${l=>T({after:l.target.value})} /></label>
        <label class="field">To
          <input type="date" value=${e.before??""} onChange=${l=>T({before:l.target.value})} /></label>
      </div>
    </form>
    ${c&&a`<${O} error=${c} retry=${p} />`}
    ${!o&&i&&a`<${C} />`}
    ${o&&a`<${ms} body=${o} term=${r} isLoading=${i} onMore=${t<wr&&(()=>n(wr))} />`}
  `}function ms({body:e,term:t,isLoading:n,onMore:r}){let{query:s}=b(N),{items:o,hasMore:c}=e.data,i=Se(()=>$s(o),[o]),p=i.kind.has(s.kind)?s.kind:"",d=p?o.filter(({kind:u})=>u===p):o,l=new Map(o.map(({sourceId:u,sourceLabel:h})=>[u,h])),m=s.after?.slice(0,4),f=m&&s.after===Zt(m).after&&s.before===Zt(m).before;return a`
    ${o.length>0&&a`<div class="facets">
      <${Yt} name="Kinds" counts=${i.kind} chosen=${p} onPick=${u=>T({kind:u})} />
      <${Yt} name="Sources" counts=${i.source} chosen=${s.source} labels=${l} onPick=${u=>T({source:u})} />
      <${Yt} name="Years" counts=${i.year} chosen=${f?m:""} onPick=${u=>T(Zt(u))} />
      ${c&&a`<p class="quiet">Counted in the ${o.length} newest results; there are more.</p>`}
    </div>`}
    <p class="sr" role="status">${d.length} results</p>
    ${!d.length&&a`<${R}>No record contains this text. Search is literal: try other words, or fewer.<//>`}
    <ol class="results" aria-busy=${n}>
      ${d.map(u=>a`<${_s} key=${`${u.kind} ${u.id}`} item=${u} term=${t} />`)}
    </ol>
    ${c&&a`<p class="actions">
      ${r?a`<button type="button" onClick=${r}>Show more</button>`:a`<span class="quiet">There are more results: narrow the search by source, time or text.</span>`}
    </p>`}
    <${F} meta=${e.meta} />
  `}var Zt=e=>e?{after:`${e}-01-01`,before:`${e}-12-31`}:{after:"",before:""};function $s(e){return Object.fromEntries(Object.entries({kind:({kind:n})=>n,source:({sourceId:n})=>n,year:({updatedAt:n})=>n&&String(new Date(n).getFullYear())}).map(([n,r])=>[n,new Map([...Map.groupBy(e,r)].map(([s,o])=>[s,o.length]))]))}function Yt({name:e,counts:t,chosen:n,labels:r,onPick:s}){let o=[...t.keys()].filter(c=>c!==null).sort();return a`<div class="chips" role="group" aria-label=${e}>
    <span class="quiet" aria-hidden="true">${e}</span>
    ${o.map(c=>a`<button type="button" class="chip" key=${c} dir="auto" aria-pressed=${c===n}
      onClick=${()=>s(c===n?"":c)}>${r?.get(c)??c} ${t.get(c)}</button>`)}
  </div>`}var hs=e=>Ue(e.href)?.operation.name==="read_knowledge";function _s({item:e,term:t}){let n=re(e.href),r=a`<${H} text=${e.title} term=${t} />`;return a`<li>
    <h2 dir="auto">${n?a`<a href=${n}>${r}</a>`:e.href?a`<${j} url=${e.href}>${r}<//>`:r}</h2>
    ${hs(e)?a`<${Xe} text=${e.preview} term=${t} />`:a`<p dir="auto"><${H} text=${e.preview} term=${t} /></p>`}
    <p class="byline"><span class="kind">${e.kind}</span> <span dir="auto">${e.sourceLabel}</span> ${e.updatedAt&&a`<${M} at=${e.updatedAt} />`}</p>
  </li>`}function kr(e,t=0){if(!e)return;let n=new Date(`${e}T00:00`);return n.setDate(n.getDate()+t),Number.isNaN(n.getTime())?void 0:n.toISOString()}var gs=[["One key, one organization","The key chooses the organization. No parameter can name another."],["Nothing is shown until it is approved","An owner or admin approves each source, and can withdraw it at any time."],["Every answer says how fresh it is","Stale data is marked as stale. No request reaches a provider."],["It is read-only","Programs read over REST and agents over MCP."]],ys=`orgctx keys issue --organization ORGANIZATION --by MEMBER \\
    --access both --scope context:read,knowledge:read --expires-in-days 30`;function xr(){let e=b(V);return a`
    <div class="hero">
      <h1>What your organization knows, <em>for the agents it trusts.</em></h1>
      <p class="lead">orgctx gives programs and AI agents read-only access to what one organization has stored and
        approved: documents, notes, files, chats, mentions, people, and one search over all of it.</p>
    </div>
    <section class="card entrance" aria-labelledby="look">
      <h2 id="look">Look inside</h2>
      ${e?a`<p>You are using a key. It stays in the memory of this page until you reload it.</p>
            <p class="actions"><a class="button primary" href=${g("explore")}>Explore</a></p>`:a`<${_e} onDone=${()=>location.assign(g("explore"))} />`}
    </section>
    <${vs} />
    <ul class="promises">${gs.map(([t,n])=>a`<li><h2>${t}</h2><p>${n}</p></li>`)}</ul>
    <section class="split even">
      <div>
        <h2>How to get a key</h2>
        <p>Ask an owner or admin of your organization, who issues it at the desk or with this command. It is
          shown once, has the scopes that were chosen, and expires after 7, 30 or 90 days.</p>
        <${Ve} text=${ys} label="Command that issues a key" />
      </div>
      <div>
        <h2>Then</h2>
        <ul class="plain-list next">
          <li><a href=${g("connect")}>Connect a client</a> <span class="quiet">Claude Code, Cursor, VS Code and others</span></li>
          <li><a href=${g("explore")}>Explore the data</a> <span class="quiet">as the key sees it, each view with its request</span></li>
          <li><a href=${g("reference")}>Read the reference</a> <span class="quiet">${S.operations.length} operations, REST and MCP alike</span></li>
        </ul>
      </div>
    </section>
  `}function vs(){let[e,t]=y(null),n=()=>fetch("readyz",{cache:"no-store"}).then(s=>s.json()).then(t,()=>t({status:"unreachable",checks:{}}));if(!e)return a`<p class="actions"><button type="button" onClick=${n}>Is the service ready?</button></p>`;let r=e.status==="ready";return a`<p class="readiness" role="status">
    <span class="status tone-${r?"current":"unavailable"}"><${Te} status=${r?"current":"unavailable"} />${r?"Ready":"Not ready"}</span>
    ${Object.entries(e.checks).map(([s,o])=>a`<span class="quiet">${s} ${o}</span>`)}
  </p>`}var nn={};J(nn,{Token:()=>tn,operations:()=>bs,shows:()=>ws});var bs=["get_token"],ws=()=>"the stored summary of the linked token";function tn(){let{body:e,error:t,retry:n}=P("get_token",{});if(t)return a`<${O} isWhole error=${t} retry=${n} />`;if(!e)return a`<${C} />`;let{connected:r,token:s,index:o,holders:c,latestFees:i,latestTradeAt:p,sources:d}=e.data;return a`
    <div class="masthead">
      <p class="eyebrow">Token</p>
      <h1 dir="auto">${s?`${s.name} (${s.symbol})`:"No token is stored"}</h1>
      <${F} meta=${e.meta} />
    </div>
    ${!r&&a`<${R}>The token is approved, but no snapshot of it is stored.<//>`}
    <dl class="figures large">
      ${c&&a`<div><dt>holders</dt><dd>${D(c.count)}</dd></div>`}
      ${i&&a`<div><dt>price, USD</dt><dd>${D(i.priceUsd)}</dd></div>`}
      ${p&&a`<div><dt>last trade</dt><dd><${M} at=${p} /></dd></div>`}
      ${o&&a`<div><dt>index</dt><dd><${ye} status=${o.state} /></dd></div>`}
    </dl>
    <h2>Sources</h2>
    <table class="simple">
      <thead><tr><th scope="col">Part</th><th scope="col">Status</th><th scope="col">Updated</th><th scope="col">Note</th></tr></thead>
      <tbody>${Object.entries(d).map(([l,m])=>a`<tr>
        <th scope="row">${l}</th><td><${ye} status=${m.status} /></td><td><${M} at=${m.updatedAt} /></td><td dir="auto">${m.note??""}</td>
      </tr>`)}</tbody>
    </table>
    <h2>Details</h2>
    <div class="blocks">
      <${Qe} title="Token" members=${s} />
      <${Qe} title="Index" members=${o} />
      <${Qe} title="Holders" members=${c} />
      <${Qe} title="Latest fees" members=${i} />
    </div>
  `}function Qe({title:e,members:t}){return t?a`<section class="card">
    <h3>${e}</h3>
    <dl class="facts">${Object.entries(t).map(([n,r])=>a`<div><dt>${n}</dt><dd dir="auto"><${ks} value=${r} /></dd></div>`)}</dl>
  </section>`:null}function ks({value:e}){return e===null?a`<span class="quiet">none</span>`:typeof e=="number"?String(e):/^\d{4}-\d\d-\d\dT/.test(e)?a`<${M} at=${e}>${G(e)}<//>`:/^https?:/.test(e)?a`<${j} url=${e} />`:a`<code>${/^\d+$/.test(e)?Vn(e):e}</code>`}var xs=new URL(nr,import.meta.url).href,Sr={explore:"Explore"},rn=B?Sr:{start:"Start",connect:"Connect",...Sr,reference:"Reference"},qe={overview:{title:"Overview",view:Wt,...zt},activity:{title:"Activity",view:Mt,...Et,operations:[...It,...jt]},search:{title:"Search",view:Qt,...en},knowledge:{title:"Library",view:Rt,...Ft},assets:{title:"Files",view:Nt,...Pt},chats:{title:"Chats",view:Lt,...Dt},people:{title:"People",view:Vt,...Kt},mentions:{title:"Mentions",view:Ut,...Ht},token:{title:"Token",view:tn,...nn}};for(let[e,{operations:t,queries:n}]of Object.entries(qe))mr(e,t,n);function Ss(){let e=b(N),t=b(V),n=`${e.area}/${e.view}/${e.values.join("/")}`,r=A(null),s=A(!0);return w(()=>{document.title=`${qe[e.view]?.title??rn[e.area]??"Page not found"} · orgctx`,s.current||r.current.focus({preventScroll:!0}),s.current||scrollTo(0,0),s.current=!1},[n,t]),a`
    <a class="skip" href="#main" onClick=${c=>{c.preventDefault(),r.current.focus()}}>Skip to the content</a>
    <header class="bar">
      <a class="brand" href="#/"><img src=${xs} alt="" width="26" height="26" />orgctx</a>
      ${B?a`<${Cs} />`:a`<nav aria-label="Page"><ul>
        ${Object.entries(rn).map(([c,i])=>a`<li><a href=${g(c==="start"?"":c)} aria-current=${e.area===c?"page":void 0}>${i}</a></li>`)}
      </ul></nav>
      <div class="who">${t&&a`<${er} /><button type="button" onClick=${Ce}>Forget key</button>`}</div>`}
    </header>
    <main id="main" ref=${r} tabindex="-1" class=${e.area}>
      <${on} key=${e.area==="reference"?e.area:n}><${As} here=${e} isConnected=${t} /><//>
    </main>
    <${Qn} />
  `}function Cs(){let{name:e,access:t,desk:n}=B;return a`<p class="viewed">You see what the key <strong dir="auto">${e}</strong> reads${t==="mcp"&&" with MCP tools"}.</p>
    <a class="who" href=${n}>Back to the desk</a>`}function As({here:e,isConnected:t}){return Object.hasOwn(rn,e.area)?e.area==="start"?a`<${xr} />`:e.area==="connect"?a`<${dr} view=${e.view} />`:e.area==="reference"?a`<${vr} view=${e.view} />`:t?a`<${Os} here=${e} />`:a`<${Ts} here=${e} />`:a`<h1>Page not found</h1><p><a href="#/">Go to the start</a></p>`}function Ts({here:e}){let{title:t="Explore",operations:n,shows:r}=qe[e.view||"overview"]??{},s=n?.flatMap(o=>le(o).scopes)??[];return a`<section class="card entrance">
    <h1>${t}</h1>
    ${r&&a`<p dir="auto">With a key, this address shows ${r(e)}.</p>
      <p class="quiet">The key needs the scope ${[...new Set(s)].map((o,c)=>a`${c>0&&" or "}<code>${o}</code>`)}.</p>`}
    <${_e} />
  </section>`}function Os({here:e}){let t=e.view||"overview",{view:n,operations:r=[]}=qe[t]??{},s=b(fe)>0;return Fn(t),a`<div class="explore-frame">
    <nav class="views" aria-label="Views"><ul class="menu"><${qs} name=${t} /></ul></nav>
    <div class="view" aria-busy=${s}>
      ${n?a`<${n} values=${e.values} query=${e.query} />`:a`<h1>View not found</h1><p>Choose one of the views of the menu.</p>`}
      ${!B&&a`<${Je} operations=${r} />`}
    </div>
  </div>`}function qs({name:e}){let t=b($e),n=r=>!t||le(r).scopes.some(s=>t.includes(s));return Object.entries(qe).filter(([,{operations:r}])=>r.some(n)).map(([r,{title:s}])=>a`<li><a href=${g("explore",r)} aria-current=${r===e?"page":void 0}>${s}</a></li>`)}var on=class extends ce{state={error:null};static getDerivedStateFromError(t){return{error:t}}render({children:t},{error:n}){return n?a`<div class="trouble" role="alert"><h1>This view failed</h1>
      <p>No data was changed. Reload the page, or report this to the operator: <code>${String(n.message)}</code></p></div>`:t}};B?kt():Hn();lt(a`<${Ss} />`,document.getElementById("app"));
